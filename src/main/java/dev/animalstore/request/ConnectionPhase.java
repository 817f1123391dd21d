package dev.animalstore.request;

/** The phase of a connection, in the order in which connections are closed for new ones. */
enum ConnectionPhase {
    /** Nothing was received yet, or a part of a request's head. */
    AWAITING_REQUEST,

    /** The last response is complete. */
    KEPT_ALIVE,

    /** A response has begun, and the client may be slow to read it. */
    RESPONDING,

    /** The head of a request is complete, and its response has not begun. Such a connection is not closed for a new one. */
    PROCESSING;

    /** Whether the time limit of a request applies, which ends when its response begins. */
    boolean isTimed() {
        return this == AWAITING_REQUEST || this == PROCESSING;
    }
}
