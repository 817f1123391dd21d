package dev.animalstore.quota;

/**
 * Whom requests are charged to, by what the caller knows of it.
 *
 * @param version the version that the caller has read
 * @param epoch the {@link QuotaLimiter#epoch} before it was read, or {@link #CURRENT}
 * @param aloneUntilNanos until when a replica may decide by it alone, by the application's {@code Ticker}
 */
public record Subject(SubjectId id, long version, Limits limits, long epoch, long aloneUntilNanos) {
    /** Greater than every epoch. */
    private static final long CURRENT = Long.MAX_VALUE;

    /** A subject that was read after the request had arrived: it has every change that the request must obey. */
    public static Subject current(SubjectId id, long version, Limits limits) {
        return new Subject(id, version, limits, CURRENT, 0);
    }

    boolean isCurrent() {
        return epoch == CURRENT;
    }
}
