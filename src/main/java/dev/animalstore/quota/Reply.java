package dev.animalstore.quota;

/** What comes of a request that wants to be charged: a decision, or that the caller has to read the subject anew before there can be one. */
public sealed interface Reply permits Decision, Reply.Stale {
    /**
     * The caller's copy of the subject is outdated; nothing was charged.
     *
     * @param newest the newest version of the subject that is known
     */
    record Stale(long newest) implements Reply {}
}
