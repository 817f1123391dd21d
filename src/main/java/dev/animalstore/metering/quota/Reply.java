package dev.animalstore.metering.quota;

/** The result of a request to charge. Only a decision charges anything. */
public sealed interface Reply permits Decision, Reply.Outdated, Reply.Ended, Reply.Unavailable {
    /**
     * Redis knows a newer version of the subject than the caller's: the caller must read the subject again.
     *
     * @param newest the version that Redis knows
     */
    record Outdated(long newest) implements Reply {}

    /** The subject has ended. */
    record Ended() implements Reply {}

    /** Redis did not respond in time, or is known to fail: the caller may have to {@linkplain QuotaLimiter#spendAlone decide alone}. */
    record Unavailable() implements Reply {}
}
