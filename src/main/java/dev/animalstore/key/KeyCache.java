package dev.animalstore.key;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.key.BearerKey.KeyHash;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jboss.logging.Logger;

/**
 * The copies of keys by their secrets, in memory. Which copy may decide on a request is up to {@code Admission}.
 *
 * <p>A secret that was found is remembered for an hour after its last use. One that is unknown is remembered separately and for a shorter
 * time, so a flood of them cannot evict known ones.
 */
@Singleton
// Caffeine's class of entries with a time of their last use, which it loads by name. Quarkus registers the others that
// are used.
@RegisterForReflection(classNames = "com.github.benmanes.caffeine.cache.PSAMS")
public class KeyCache {
    private static final Logger LOG = Logger.getLogger(KeyCache.class);

    private static final Duration KNOWN_TIME = Duration.ofHours(1);
    private static final Duration REFRESH_TIME = Duration.ofMinutes(10);
    private static final Duration RETRY_TIME = Duration.ofMinutes(1);
    private static final long MAXIMUM_UNKNOWN = 100_000;

    private final Cache<KeyHash, Copy> known;
    private final Cache<KeyHash, Copy> unknown;
    private final KeyQueries queries;
    private final Clock clock;
    private final Ticker ticker;

    KeyCache(KeyConfig config, KeyQueries queries, MeterRegistry metrics, Clock clock, Ticker ticker) {
        this.queries = queries;
        this.clock = clock;
        this.ticker = ticker;
        known = cache(config.cacheSize())
                .expireAfterAccess(KNOWN_TIME)
                .recordStats()
                .build();
        CaffeineCacheMetrics.monitor(metrics, known, "known-keys");
        unknown = cache(MAXIMUM_UNKNOWN).expireAfterWrite(config.unknownTime()).build();
    }

    private Caffeine<Object, Object> cache(long size) {
        return Caffeine.newBuilder().maximumSize(size).ticker(ticker).executor(Infrastructure.getDefaultWorkerPool());
    }

    /** The copy of a secret's key in memory; {@code null} if there is none. Never blocks. */
    public Copy find(KeyHash hash) {
        Copy copy = known.getIfPresent(hash);
        return copy == null ? unknown.getIfPresent(hash) : copy;
    }

    /**
     * Reads the key of a secret, including revoked and expired ones, by a query that begins after this call. Never blocks. If the database
     * fails, the result does, and a copy in memory stays. The epoch is that at the time of the call.
     */
    public CompletableFuture<Copy> read(KeyHash hash, long epoch) {
        return queries.find(hash).whenComplete(this::forgetUnknown).thenApply(found -> {
            Copy read = new Copy(found.key(), epoch, found.begunNanos(), false);
            if (read.key != null) {
                known.asMap().merge(hash, read, Copy::newer);
                unknown.invalidate(hash);
                return read;
            }
            Copy missing = new Copy(null, epoch, found.begunNanos(), true);
            boolean wasFound = known.asMap().computeIfPresent(hash, (ignored, copy) -> copy.newer(missing)) != null;
            if (!wasFound) {
                unknown.put(hash, read);
            }
            return read;
        });
    }

    /** A database that fails may be restored from before a rotation, and have secrets that were unknown. */
    private void forgetUnknown(Object found, Throwable failure) {
        if (failure != null) {
            unknown.invalidateAll();
        }
    }

    /** Drops the copies of a key that has changed, so that this replica obeys the change at once, with Redis or without. */
    public void forget(long id) {
        known.asMap().values().removeIf(copy -> copy.key != null && copy.key.id() == id);
    }

    /**
     * Gives a key whose version in PostgreSQL is behind the one in Redis a version that is newer than both, and changes nothing else. Never
     * blocks.
     */
    public CompletableFuture<Void> raiseVersion(long id, long above) {
        return CompletableFuture.runAsync(() -> raise(id, above), Infrastructure.getDefaultWorkerPool());
    }

    @Transactional
    void raise(long id, long above) {
        ApiKey.lock(id).filter(key -> key.version < above).ifPresent(key -> {
            LOG.warnf(
                    "PostgreSQL has gone back: key %d has version %d there, but version %d in Redis."
                            + " The data in PostgreSQL is used",
                    id, key.version, above);
            key.raiseVersion(above, clock.instant());
        });
    }

    /** What this replica knows of a secret. Times are those of {@link Ticker#read}. */
    public static final class Copy {
        /** {@code null} if no key has the secret. */
        public final CachedKey key;

        /** The one in which its query began, or an earlier one. */
        public final long epoch;

        /** When its query began. */
        public final long readNanos;

        /** Whether the secret was found before, and was not when it was read last. */
        public final boolean missing;

        private volatile long confirmedNanos;
        private volatile long dueNanos;

        private Copy(CachedKey key, long epoch, long readNanos, boolean missing) {
            this.key = key;
            this.epoch = epoch;
            this.readNanos = readNanos;
            this.missing = missing;
            confirmedNanos = readNanos;
            dueNanos = readNanos + REFRESH_TIME.toNanos();
        }

        /** The latest time at which its version was known to be the newest. */
        public long confirmedNanos() {
            return confirmedNanos;
        }

        /** Redis has confirmed its version at some time after this one. */
        public void confirm(long nanos) {
            confirmedNanos = nanos;
        }

        /** Whether it is to be read again, for what was changed by SQL past the service. If that fails, it is due again after a minute. */
        public boolean isDue(long nanos) {
            boolean due = nanos - dueNanos >= 0;
            if (due) {
                dueNanos = nanos + RETRY_TIME.toNanos();
            }
            return due;
        }

        private Copy newer(Copy other) {
            return other.readNanos - readNanos >= 0 ? other : this;
        }
    }
}
