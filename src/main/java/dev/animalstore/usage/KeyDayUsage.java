package dev.animalstore.usage;

import java.time.LocalDate;

/**
 * The usage of one key on one UTC day, with the key's current owner and plan.
 *
 * @param key identifies the key
 * @param refused requests that got {@code rate_limit_exceeded}
 * @param banned requests that got {@code key_banned}
 */
public record KeyDayUsage(
        long key, String owner, String plan, LocalDate day, long admitted, long refused, long banned) {
    /** The number of bits of a position for the day, enough until the year 4840. */
    private static final int DAY_BITS = 20;

    /** The position in a list ordered by key, then day: a positive, ascending number. */
    public long position() {
        return key << DAY_BITS | day.toEpochDay();
    }

    /** The key in a position. */
    static long keyAt(long position) {
        return position >> DAY_BITS;
    }

    /** The day in a position, in days since 1970. */
    static long dayAt(long position) {
        return position & ((1L << DAY_BITS) - 1);
    }
}
