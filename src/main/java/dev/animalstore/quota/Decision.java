package dev.animalstore.quota;

import java.util.Optional;

/**
 * What became of a request that wanted to be charged.
 *
 * @param outcome admitted or not, and why not
 * @param nowMillis the time of the decision by the clock that made it, in milliseconds since 1970
 * @param minute the minute after the decision; during a ban nothing is left of it, and it ends with the ban
 * @param day the day after the decision
 * @param ban the ban that is in force after the decision
 */
public record Decision(Outcome outcome, long nowMillis, Window minute, Window day, Optional<Ban> ban) implements Reply {
    /** How a decision can end. */
    public enum Outcome {
        /** Both windows had room and were charged. */
        ADMITTED,
        /** A window had no room; nothing was charged. */
        REFUSED,
        /** The subject is banned; nothing was charged. */
        BANNED
    }

    /**
     * A ban that is in force.
     *
     * @param untilMillis when it ends, in milliseconds since 1970
     * @param level which ban in a row it is, counted from 1; each is longer than the one before
     */
    public record Ban(long untilMillis, int level) {}

    private static final long MILLIS_A_SECOND = 1000;

    /** A decision as {@code quota.lua} and {@link LocalLimiter} make it, from counts and ends; without a ban its end is 0. */
    static Decision of(
            Outcome outcome,
            long now,
            Limits limits,
            long minuteCount,
            long minuteEnd,
            long dayCount,
            long dayEnd,
            long banEnd,
            int banLevel) {
        Window minute = Window.of(limits.perMinute(), minuteCount, minuteEnd);
        Window day = Window.of(limits.perDay(), dayCount, dayEnd);
        if (outcome != Outcome.BANNED) {
            return new Decision(outcome, now, minute, day, Optional.empty());
        }
        // A ban that is configured shorter than a minute can end before the minute that was spent.
        long end = minute.remaining() == 0 ? Math.max(banEnd, minuteEnd) : banEnd;
        Window banned = new Window(limits.perMinute(), 0, end);
        return new Decision(outcome, now, banned, day, Optional.of(new Ban(banEnd, banLevel)));
    }

    /**
     * The window that binds: during a ban the minute, which it has taken over; of a refusal the one that refused, and of two that did the
     * one that ends later; otherwise the one with fewer requests left, the minute where they are equal.
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
     * Whole seconds, at least 1, after which a refused request is admitted, if nobody else spends the window: all that stands in its way,
     * a ban included, has ended by then.
     */
    public long retryAfterSeconds() {
        long end = binding().resetMillis();
        return Math.max(1, secondsUntil(day.remaining() == 0 ? Math.max(end, day.resetMillis()) : end));
    }

    /** Milliseconds as whole seconds, rounded up. */
    public static long ceilSeconds(long millis) {
        return -Math.floorDiv(-millis, MILLIS_A_SECOND);
    }
}
