package dev.animalstore.request;

/** What a connection is doing, in the order in which connections give way to new ones. */
enum ConnectionPhase {
    /** Nothing was received yet, or the beginning of a request's head. */
    AWAITING_REQUEST,

    /** The last response was written to its end. */
    KEPT_ALIVE,

    /** A response was begun, and the client may be slow to read it. */
    RESPONDING,

    /** The head of a request is complete, and its response was not begun. Such a connection does not give way. */
    PROCESSING;

    /** Whether the time of a request runs, which ends when its response begins. */
    boolean isTimed() {
        return this == AWAITING_REQUEST || this == PROCESSING;
    }
}
