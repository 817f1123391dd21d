package dev.animalstore.metering.key;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.metering.key.BearerKey.KeyHash;
import dev.animalstore.outage.Bulkhead;
import dev.animalstore.outage.DatabaseBreaker;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import io.quarkus.agroal.DataSource;
import io.quarkus.logging.Log;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * The copies of keys by their secrets, in memory. Which copy may decide on a request is up to {@code Admission}.
 *
 * <p>A secret that was found is remembered for an hour after its last use, also when its copy is {@linkplain Copy#isForgotten forgotten}. One that
 * is unknown is remembered separately and for ten seconds, so a flood of them cannot evict known ones.
 */
@Singleton
// Caffeine's class of entries with a time of their last use, which it loads by name. Quarkus registers the others that
// are used.
@RegisterForReflection(classNames = "com.github.benmanes.caffeine.cache.PSAMS")
public class KeyCache {

    private static final Duration KNOWN_TIME = Duration.ofHours(1);
    private static final Duration UNKNOWN_TIME = Duration.ofSeconds(10);
    private static final long MAXIMUM_UNKNOWN = 100_000;

    private final Cache<KeyHash, Copy> known;
    private final Cache<KeyHash, Copy> unknown;
    private final KeyQueries queries;

    private final Map<Long, CompletableFuture<Void>> raises = new ConcurrentHashMap<>();
    private final Bulkhead raising;

    /** How often copies were forgotten. */
    private final AtomicLong forgotten = new AtomicLong();

    /**
     * When the last look began that has succeeded, by {@link Ticker#read}. Up to then a copy was the newest in PostgreSQL if it was found, and not
     * forgotten, after this value was read: a look forgets what has changed before it sets this, and what is read meanwhile is forgotten too. A
     * value that is read later tells nothing of the copy, which the look may have forgotten in between.
     */
    private volatile long lookedNanos;

    KeyCache(
            KeyConfig config,
            KeyQueries queries,
            @DataSource("metering") DatabaseBreaker database,
            MeterRegistry metrics,
            Ticker ticker) {
        this.queries = queries;
        raising = new Bulkhead("raises of versions", 1, database, ticker);
        known = cache(config.cacheSize(), ticker)
                .expireAfterAccess(KNOWN_TIME)
                .recordStats()
                .build();
        CaffeineCacheMetrics.monitor(metrics, known, "known-keys");
        unknown = cache(MAXIMUM_UNKNOWN, ticker).expireAfterWrite(UNKNOWN_TIME).build();
    }

    private static Caffeine<Object, Object> cache(long size, Ticker ticker) {
        return Caffeine.newBuilder().maximumSize(size).ticker(ticker).executor(Infrastructure.getDefaultWorkerPool());
    }

    /** The copy of a secret's key in memory; {@code null} if there is none. Never blocks. */
    public Copy find(KeyHash hash) {
        Copy found = known.getIfPresent(hash);
        return found == null ? unknown.getIfPresent(hash) : found;
    }

    /**
     * Reads the key of a secret, including revoked and expired ones, by a query that begins after this call. Never blocks. If the database
     * fails, the result does, and a copy in memory stays. What is read while copies are forgotten may decide on this request, but as a copy it is
     * forgotten, since the query may have begun before the change.
     */
    public CompletableFuture<Copy> read(KeyHash hash) {
        long before = forgotten.get();
        return queries.find(hash).thenApply(read -> {
            if (read.key == null) {
                known.invalidate(hash);
                unknown.put(hash, read);
            } else {
                unknown.invalidate(hash);
                known.put(hash, read);
                // Compared afterwards: a copy that is added while others are forgotten may be passed over.
                if (forgotten.get() != before) {
                    read.isForgotten = true;
                }
            }
            return read;
        });
    }

    /** Forgets those copies, and those that are being read. Called by {@link KeyLook} only. */
    void forget(Predicate<CachedKey> which) {
        forgotten.incrementAndGet();
        known.asMap().values().stream().filter(copy -> which.test(copy.key)).forEach(copy -> copy.isForgotten = true);
    }

    /** A look has succeeded that began at that time, and the copies of what has changed are forgotten. */
    void looked(long begunNanos) {
        lookedNanos = begunNanos;
    }

    public long lookedNanos() {
        return lookedNanos;
    }

    /**
     * Gives a key whose version in PostgreSQL is behind the one in Redis a version that is newer than both, and changes nothing else. Never
     * blocks. Those who ask for the same key meanwhile share the result.
     */
    public CompletableFuture<Void> raiseVersion(long id, long above) {
        CompletableFuture<Void> raise = raises.computeIfAbsent(
                id,
                key -> raising.run(() -> {
                    raise(id, above);
                    return null;
                }));
        return raise.whenComplete((result, failure) -> raises.remove(id, raise));
    }

    @Transactional
    void raise(long id, long above) {
        ApiKey.lock(id).filter(key -> key.version < above).ifPresent(key -> {
            Log.warnf(
                    "PostgreSQL has gone back: key %d has version %d there, but version %d in Redis."
                            + " The data in PostgreSQL is used",
                    id, key.version, above);
            ApiKey.raise(id, above);
        });
    }

    /** What this replica knows of a secret. */
    public static final class Copy {
        private final CachedKey key;
        private final long readNanos;
        private volatile boolean isForgotten;

        Copy(CachedKey key, long readNanos) {
            this.key = key;
            this.readNanos = readNanos;
        }

        /** {@code null} if no key has the secret. */
        public CachedKey key() {
            return key;
        }

        /** When its query began, by {@link Ticker#read}. */
        public long readNanos() {
            return readNanos;
        }

        /** Whether the key has changed since, so that the copy decides nothing; it only says that the secret is no guess. */
        public boolean isForgotten() {
            return isForgotten;
        }
    }
}
