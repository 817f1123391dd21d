package dev.animalstore.quota;

import java.time.Clock;
import java.time.Duration;

/**
 * The clock of Redis, as this replica knows it from the responses of Redis. Until the first response it is taken to agree with this
 * machine's clock.
 *
 * <p>It never lags behind a node that has responded within the last seconds: of several nodes whose clocks differ, the one that is ahead
 * counts. So a bound that is set by it may be too late for a node by the difference, and is not too early for any.
 */
final class RedisClock {
    /** How long a response counts if later ones tell of an earlier time. */
    private static final long KEPT_NANOS = Duration.ofSeconds(10).toNanos();

    private static final long NANOS_PER_MILLI = 1_000_000;

    private volatile Offset offset;

    RedisClock(Clock clock) {
        offset = new Offset(clock.millis() - monotonicMillis(), System.nanoTime());
    }

    /** The time by now, in milliseconds since 1970. */
    long millis() {
        return monotonicMillis() + offset.millis();
    }

    /** Takes note of the time that a response tells. */
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
     * How far Redis's clock is ahead of the one that counts this machine's nanoseconds.
     *
     * @param atNanos when that was observed
     */
    private record Offset(long millis, long atNanos) {}
}
