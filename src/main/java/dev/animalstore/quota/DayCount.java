package dev.animalstore.quota;

import java.time.LocalDate;

/**
 * How many requests of a subject were admitted, refused and banned on one UTC day.
 *
 * @param incarnation when these counts started at 0, in milliseconds since 1970 by Redis's clock: counts that started later are of requests
 *     that these do not include. 0 if unknown, and for local decisions of a replica
 */
public record DayCount(long subject, LocalDate day, long admitted, long refused, long banned, long incarnation) {
    /** Whether all counts are 0. */
    boolean isEmpty() {
        return admitted == 0 && refused == 0 && banned == 0;
    }

    /** The sum of two counts of the same subject and day. */
    DayCount plus(DayCount other) {
        return new DayCount(
                subject, day, admitted + other.admitted, refused + other.refused, banned + other.banned, incarnation);
    }
}
