package dev.animalstore.quota;

/** The result of a request to charge: a decision, or that the caller must read the subject again first. */
public sealed interface Reply permits Decision, Reply.Stale {
    /**
     * The caller's copy of the subject is outdated, or is not known to be current; nothing was charged.
     *
     * @param newest the newest version of the subject that is known, or the caller's; 0 if Redis has lost it
     */
    record Stale(long newest) implements Reply {}
}
