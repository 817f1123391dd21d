package dev.animalstore.quota;

import java.time.LocalDate;

/**
 * How many requests of a subject were admitted, refused and banned on one UTC day.
 *
 * @param incarnation when these counts began at 0, in milliseconds since 1970 by Redis's clock: counts that began later are of requests that
 *     these do not hold. 0 if that is not known, and for counts of a replica that decided locally
 */
public record DayCount(long subject, LocalDate day, long admitted, long refused, long banned, long incarnation) {
    /** Whether there is nothing to count. */
    boolean isEmpty() {
        return admitted == 0 && refused == 0 && banned == 0;
    }

    /** Both counts together, of the same subject and day. */
    DayCount plus(DayCount other) {
        return new DayCount(
                subject, day, admitted + other.admitted, refused + other.refused, banned + other.banned, incarnation);
    }
}
