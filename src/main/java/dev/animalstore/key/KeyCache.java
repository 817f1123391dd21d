package dev.animalstore.key;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Finds a key by its secret: from memory, or by one indexed query on a worker thread. Concurrent requests for the same secret share one
 * query. Unknown secrets are cached separately, so a flood of them cannot evict known ones.
 *
 * <p>All copies can be marked as doubtful at once. A doubtful copy is compared with the database when it is next used, and is used for the
 * rest of its cache time only while the database is unavailable.
 */
@Singleton
public final class KeyCache {
    /** How long a secret that was found counts as not guessed. It is longer than a key is cached. */
    private static final Duration RECENT_TIME = Duration.ofHours(1);

    private final AsyncCache<KeyHash, Copy> known;
    private final Cache<KeyHash, Boolean> unknown;
    private final Cache<KeyHash, Boolean> recentlyFound;
    private final AtomicLong doubts = new AtomicLong();
    private final Counter queries;
    private final KeyConfig config;
    private final KeyRegistry keys;

    KeyCache(KeyConfig config, MeterRegistry metrics, KeyRegistry keys) {
        this.config = config;
        this.keys = keys;
        known = Caffeine.newBuilder()
                .expireAfter(Expiry.writing((KeyHash secret, Copy copy) -> remaining(copy)))
                .maximumSize(config.cacheSize())
                .executor(Infrastructure.getDefaultWorkerPool())
                .recordStats()
                .buildAsync();
        CaffeineCacheMetrics.monitor(metrics, known, "known-keys");
        unknown = Caffeine.newBuilder()
                .expireAfterWrite(config.unknownTime())
                .maximumSize(config.unknownSize())
                .executor(Infrastructure.getDefaultWorkerPool())
                .build();
        recentlyFound = Caffeine.newBuilder()
                .expireAfterWrite(RECENT_TIME)
                .maximumSize(config.cacheSize())
                .executor(Infrastructure.getDefaultWorkerPool())
                .build();
        queries = Counter.builder("animalstore.keys.queries")
                .description("Secrets looked up in the database because they were not cached")
                .register(metrics);
    }

    /**
     * The cached result for a secret, or the query in flight: the same as {@link #lookUp} returns. Never blocks.
     *
     * @return empty if nothing is cached for it
     */
    public Optional<CompletableFuture<Optional<CachedKey>>> recall(KeyHash secret) {
        CompletableFuture<Copy> remembered = known.getIfPresent(secret);
        if (remembered == null && unknown.getIfPresent(secret) != null) {
            return Optional.of(CompletableFuture.completedFuture(Optional.empty()));
        }
        return Optional.ofNullable(remembered).map(copy -> confirm(secret, copy));
    }

    /** Whether a secret was found within the last hour, so that it is not a guess. Its key may have been revoked since. */
    public boolean wasFound(KeyHash secret) {
        return recentlyFound.getIfPresent(secret) != null;
    }

    /**
     * The key of a secret, including revoked and expired ones, by a query unless it is cached. Never blocks.
     *
     * @return empty for an unknown secret; failed if the database is unavailable, which is not cached
     */
    public CompletableFuture<Optional<CachedKey>> lookUp(KeyHash secret) {
        CompletableFuture<Copy> pending = new CompletableFuture<>();
        CompletableFuture<Copy> earlier = known.asMap().putIfAbsent(secret, pending);
        return earlier == null ? query(secret, pending, Optional.empty()) : confirm(secret, earlier);
    }

    /** Removes a secret's key from the cache, so the next {@link #lookUp} queries the database, and does not join a query in flight. */
    public void forget(KeyHash secret) {
        known.synchronous().invalidate(secret);
    }

    /** Marks all copies as doubtful, including those being read. Takes the same short time for any number of them. */
    public void doubtAll() {
        doubts.incrementAndGet();
    }

    /** The cached key, or the current one from the database if the copy is doubtful. A query in flight is not repeated. */
    private CompletableFuture<Optional<CachedKey>> confirm(KeyHash secret, CompletableFuture<Copy> remembered) {
        boolean pendingElsewhere = !remembered.isDone();
        return remembered.thenCompose(copy -> {
            if (copy == null || (copy.doubts() == doubts.get() && (copy.confirmed() || pendingElsewhere))) {
                return CompletableFuture.completedFuture(
                        Optional.ofNullable(copy).map(Copy::key));
            }
            CompletableFuture<Copy> pending = new CompletableFuture<>();
            return known.asMap().replace(secret, remembered, pending)
                    ? query(secret, pending, Optional.of(copy))
                    : lookUp(secret);
        });
    }

    private CompletableFuture<Optional<CachedKey>> query(
            KeyHash secret, CompletableFuture<Copy> pending, Optional<Copy> doubted) {
        long doubtsBefore = doubts.get();
        pending.completeAsync(() -> load(secret, doubted, doubtsBefore), Infrastructure.getDefaultWorkerPool());
        return pending.thenApply(copy -> Optional.ofNullable(copy).map(Copy::key));
    }

    private Copy load(KeyHash secret, Optional<Copy> doubted, long doubtsBefore) {
        queries.increment();
        long now = System.nanoTime();
        try {
            Optional<CachedKey> key = keys.findKnown(secret);
            (key.isPresent() ? recentlyFound : unknown).put(secret, true);
            return key.map(found -> new Copy(found, now, doubtsBefore, true)).orElse(null);
        } catch (RuntimeException unavailable) {
            Copy copy = doubted.filter(old -> !remaining(old).isZero()).orElseThrow(() -> unavailable);
            return new Copy(copy.key(), copy.readNanos(), doubtsBefore, false);
        }
    }

    /** How much longer a copy may be used, at least zero. */
    private Duration remaining(Copy copy) {
        Duration rest = config.cacheTime().minusNanos(System.nanoTime() - copy.readNanos());
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    /**
     * A key as read from the database.
     *
     * @param readNanos when it was read, by {@link System#nanoTime}
     * @param doubts how often all copies had been marked as doubtful before the last query
     * @param confirmed whether the database responded to it
     */
    private record Copy(CachedKey key, long readNanos, long doubts, boolean confirmed) {}
}
