package dev.animalstore.quota;

import java.time.Clock;
import java.time.Duration;

/**
 * The clock of Redis, estimated from its responses. Until the first response it equals this machine's clock.
 *
 * <p>It never lags behind a node that has responded within the last seconds: if several nodes' clocks differ, the one that is ahead counts.
 * So a deadline that is set by it may be too late for a node by the difference, but is not too early for any.
 */
final class RedisClock {
    /** How long a response counts if later ones report an earlier time. */
    private static final long KEPT_NANOS = Duration.ofSeconds(10).toNanos();

    private static final long NANOS_PER_MILLI = 1_000_000;

    private volatile Offset offset;

    RedisClock(Clock clock) {
        offset = new Offset(clock.millis() - monotonicMillis(), System.nanoTime());
    }

    /** The current time, in milliseconds since 1970. */
    long millis() {
        return monotonicMillis() + offset.millis();
    }

    /** Records the time that a response reports. */
    void observe(long redisMillis) {
        long now = System.nanoTime();
        long observed = redisMillis - now / NANOS_PER_MILLI;
        Offset known = offset;
        if (observed > known.millis() || now - known.atNanos() > KEPT_NANOS) {
            offset = new Offset(observed, now);
        }
    }

    private static long monotonicMillis() {
        return System.nanoTime() / NANOS_PER_MILLI;
    }

    /**
     * The offset of Redis's clock from this machine's monotonic clock.
     *
     * @param atNanos when it was observed
     */
    private record Offset(long millis, long atNanos) {}
}
