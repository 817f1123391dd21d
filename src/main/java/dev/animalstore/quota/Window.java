package dev.animalstore.quota;

import java.time.Duration;

/**
 * One window of a quota after a decision.
 *
 * @param limit the maximum number of requests
 * @param remaining how many of them are left, from 0 to {@code limit}
 * @param resetMillis when it ends, in milliseconds since 1970; if it is not open, when it would end if it opened now
 */
public record Window(int limit, int remaining, long resetMillis) {
    static final Duration MINUTE = Duration.ofMinutes(1);
    static final Duration DAY = Duration.ofDays(1);

    static Window of(int limit, long count, long resetMillis) {
        return new Window(limit, (int) Math.max(0, limit - count), resetMillis);
    }
}
