package dev.animalstore.quota;

/**
 * What became of a request that wanted to be charged.
 *
 * @param outcome admitted or not, and why not
 * @param nowMillis the time of the decision by the clock that made it, in milliseconds since 1970
 * @param minute the minute after the decision
 * @param day the day after the decision
 */
public record Decision(Outcome outcome, long nowMillis, Window minute, Window day) {
    /** How a decision can end. */
    public enum Outcome {
        /** Both windows had room and were charged. */
        ADMITTED,
        /** A window had no room; nothing was charged. */
        REFUSED,
        /** The caller's copy of the subject is outdated; nothing was charged, and the windows say nothing. */
        STALE
    }

    private static final long MILLIS_A_SECOND = 1000;

    /**
     * The window that binds: of a refusal the one that refused, and of two that did the one that ends later; otherwise the one with fewer
     * requests left, the minute where they are equal.
     */
    public Window binding() {
        if (minute.remaining() == day.remaining()) {
            return outcome == Outcome.REFUSED && day.resetMillis() > minute.resetMillis() ? day : minute;
        }
        return minute.remaining() < day.remaining() ? minute : day;
    }

    /** Whole seconds from now to a time, rounded up, at least 0. */
    public long secondsUntil(long timeMillis) {
        return Math.max(0, ceilSeconds(timeMillis - nowMillis));
    }

    /** Whole seconds, at least 1, after which a refused request is admitted, if nobody else spends the window. */
    public long retryAfterSeconds() {
        return Math.max(1, secondsUntil(binding().resetMillis()));
    }

    /** Milliseconds as whole seconds, rounded up. */
    public static long ceilSeconds(long millis) {
        return -Math.floorDiv(-millis, MILLIS_A_SECOND);
    }
}
