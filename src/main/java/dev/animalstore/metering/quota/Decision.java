package dev.animalstore.metering.quota;

import java.time.Duration;
import java.util.Optional;

/**
 * The decision on a request, with the windows and the ban after it.
 *
 * @param nowMillis the time of the decision by the clock that made it, in milliseconds since 1970
 * @param minute during a ban nothing remains of it, and it does not end before the ban
 * @param shared whether Redis made it, for all replicas; otherwise this replica did, alone
 */
public record Decision(Outcome outcome, long nowMillis, Window minute, Window day, Optional<Ban> ban, boolean shared)
        implements Reply {
    public enum Outcome {
        /** Both windows had room and were charged. */
        ADMITTED,
        /** A window had no room; nothing was charged. */
        REFUSED,
        /** The subject is banned; nothing was charged. */
        BANNED
    }

    /** A ban that is in force, until a time in milliseconds since 1970. Its level is its number in a row, from 1. */
    public record Ban(long untilMillis, int level) {}

    /**
     * One window after a decision.
     *
     * @param limit the maximum number of requests
     * @param remaining how many of them are left, from 0 to {@code limit}
     * @param resetMillis when it ends, in milliseconds since 1970; if it is not open, when it would end if it opened now
     */
    public record Window(int limit, int remaining, long resetMillis) {
        static final Duration MINUTE = Duration.ofMinutes(1);
        static final Duration DAY = Duration.ofDays(1);

        private static Window of(int limit, long count, long resetMillis) {
            return new Window(limit, (int) Math.max(0, limit - count), resetMillis);
        }
    }

    /** Builds a decision from the counts and ends of {@code quota.lua} or {@link LocalLimiter}. Without a ban its end is 0. */
    static Decision of(
            Outcome outcome,
            long now,
            Quota limits,
            long minuteCount,
            long minuteEnd,
            long dayCount,
            long dayEnd,
            long banEnd,
            int banLevel,
            boolean shared) {
        Window minute = Window.of(limits.perMinute(), minuteCount, minuteEnd);
        Window day = Window.of(limits.perDay(), dayCount, dayEnd);
        if (outcome != Outcome.BANNED) {
            return new Decision(outcome, now, minute, day, Optional.empty(), shared);
        }
        // A ban shorter than a minute can end before the exhausted minute does.
        long end = minute.remaining() == 0 ? Math.max(banEnd, minuteEnd) : banEnd;
        Window banned = new Window(limits.perMinute(), 0, end);
        return new Decision(outcome, now, banned, day, Optional.of(new Ban(banEnd, banLevel)), shared);
    }

    /**
     * The window that binds. During a ban it is the minute, which the ban replaces. For a refusal it is the exhausted window, and of two
     * the one that ends later. Otherwise it is the one with fewer requests left, or the minute if they are equal.
     */
    public Window binding() {
        if (outcome == Outcome.BANNED) {
            return minute;
        }
        if (minute.remaining() == day.remaining()) {
            return outcome == Outcome.REFUSED && day.resetMillis() > minute.resetMillis() ? day : minute;
        }
        return minute.remaining() < day.remaining() ? minute : day;
    }

    /** Whole seconds from now to a time, rounded up, at least 0. */
    public long secondsUntil(long timeMillis) {
        return Math.max(0, ceilSeconds(timeMillis - nowMillis));
    }

    /**
     * Whole seconds, at least 1, after which a refused request is admitted if the window is not used up again: every window and ban in its
     * way has ended by then.
     */
    public long retryAfterSeconds() {
        long end = binding().resetMillis();
        return Math.max(1, secondsUntil(day.remaining() == 0 ? Math.max(end, day.resetMillis()) : end));
    }

    public static long ceilSeconds(long millis) {
        return -Math.floorDiv(-millis, 1000);
    }
}
