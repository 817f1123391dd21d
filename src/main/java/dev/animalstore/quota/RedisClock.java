package dev.animalstore.quota;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.validation.ClockProvider;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;

/**
 * The time of the application: that of Redis, which all replicas share, so that a key expires on all of them at once although their hosts'
 * clocks differ. It is the host's time at the start, counted on by a clock that cannot be set, and a difference, which each probe of Redis
 * corrects; until the first one, and while Redis is unavailable, the difference stays.
 */
@Singleton
final class RedisClock implements InstantSource, ClockProvider {
    private final long startMillis = System.currentTimeMillis();
    private final long startNanos = System.nanoTime();
    private volatile long aheadMillis;

    long hostMillis() {
        return startMillis + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    }

    /**
     * Corrects the difference as little as possible: Redis has read its clock after the command was sent, by {@link #hostMillis}, and before now.
     * So a delay on the way, or of this process, does not move the time.
     */
    void correct(long sentMillis, long redisMillis) {
        aheadMillis = Math.max(redisMillis - hostMillis(), Math.min(aheadMillis, redisMillis - sentMillis));
    }

    @Override
    public long millis() {
        return hostMillis() + aheadMillis;
    }

    /** In whole milliseconds, so PostgreSQL stores it as it is. */
    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    /** For all who need the time, and for Bean Validation, such as of an expiry. */
    @Override
    @Produces
    @Singleton
    public Clock getClock() {
        return withZone(ZoneOffset.UTC);
    }
}
