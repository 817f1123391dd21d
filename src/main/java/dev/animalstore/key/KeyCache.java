package dev.animalstore.key;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.animalstore.key.BearerKey.KeyHash;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Finds a key by its secret: from memory, or by one indexed query on a worker thread. Concurrent requests for the same secret share one
 * query. Unknown secrets are cached separately, so a flood of them cannot evict known ones.
 *
 * <p>Callers name an epoch, a number that grows. A copy whose query began in an earlier epoch is not used, so a new epoch makes all copies
 * void at once.
 */
@Singleton
public class KeyCache {
    private static final Logger LOG = Logger.getLogger(KeyCache.class);

    /** How long a secret that was found counts as not guessed. It is longer than a key is cached. */
    private static final Duration RECENT_TIME = Duration.ofHours(1);

    private static final long MAXIMUM_UNKNOWN = 100_000;

    private final Cache<KeyHash, Copy> known;
    private final Cache<KeyHash, Boolean> unknown;
    private final Cache<KeyHash, Boolean> recentlyFound;
    private final Counter queries;
    private final Clock clock;

    KeyCache(KeyConfig config, MeterRegistry metrics, Clock clock) {
        this.clock = clock;
        known = cache(config.cacheTime(), config.cacheSize()).recordStats().build();
        CaffeineCacheMetrics.monitor(metrics, known, "known-keys");
        unknown = cache(config.unknownTime(), MAXIMUM_UNKNOWN).build();
        recentlyFound = cache(RECENT_TIME, config.cacheSize()).build();
        queries = Counter.builder("animalstore.keys.queries")
                .description("Secrets looked up in the database because they were not cached")
                .register(metrics);
    }

    /**
     * The cached result for a secret, or the query in flight: the same as {@link #lookUp} returns. Never blocks.
     *
     * @return {@code null} if nothing of that epoch is cached for it
     */
    public CompletableFuture<Optional<CachedKey>> recall(KeyHash hash, long epoch) {
        Copy copy = known.getIfPresent(hash);
        if (copy != null) {
            return copy.epoch() >= epoch ? copy.key() : null;
        }
        return unknown.getIfPresent(hash) == null ? null : CompletableFuture.completedFuture(Optional.empty());
    }

    /** Whether a secret was found within the last hour, so that it is not a guess. Its key may have been revoked since. */
    public boolean wasFound(KeyHash hash) {
        return recentlyFound.getIfPresent(hash) != null;
    }

    /**
     * The key of a secret, including revoked and expired ones, by a query unless it is cached. Never blocks.
     *
     * @return empty for an unknown secret; failed if the database is unavailable, which is not cached
     */
    public CompletableFuture<Optional<CachedKey>> lookUp(KeyHash hash, long epoch) {
        return lookUp(hash, epoch, () -> query(hash));
    }

    /**
     * As {@link #lookUp}, by a new query, since the copy is outdated.
     *
     * <p>A version is announced to Redis after it was committed in PostgreSQL, so a query that begins after Redis reported a version finds at
     * least that one. If it does not, PostgreSQL has lost data: it was restored, or a failover lost the commit. Its current row is then valid,
     * and gets a version newer than any replica's copy.
     *
     * @param newest the version of the copy's key that Redis reported
     */
    public CompletableFuture<Optional<CachedKey>> renew(KeyHash hash, long epoch, CachedKey copy, long newest) {
        known.invalidate(hash);
        return lookUp(hash, epoch, () -> {
            Optional<CachedKey> found = query(hash);
            if (found.isPresent()
                    && found.get().id() == copy.id()
                    && found.get().version() < newest) {
                overtake(copy.id(), newest);
                return query(hash);
            }
            return found;
        });
    }

    private CompletableFuture<Optional<CachedKey>> lookUp(
            KeyHash hash, long epoch, Supplier<Optional<CachedKey>> query) {
        Copy copy = known.asMap().compute(hash, (ignored, other) -> {
            if (other != null && other.epoch() >= epoch) {
                return other;
            }
            // A worker pool that rejects the query fails it.
            return new Copy(
                    epoch,
                    CompletableFuture.completedFuture(query)
                            .thenApplyAsync(Supplier::get, Infrastructure.getDefaultWorkerPool()));
        });
        return copy.key().whenComplete((found, failure) -> {
            if (failure != null || found.isEmpty()) {
                known.asMap().remove(hash, copy);
            }
        });
    }

    /** Adds a key that the database does not have, for the cache time. */
    public void add(KeyHash hash, CachedKey key, long epoch) {
        known.put(hash, new Copy(epoch, CompletableFuture.completedFuture(Optional.of(key))));
    }

    private Optional<CachedKey> query(KeyHash hash) {
        queries.increment();
        Optional<CachedKey> found = find(hash);
        (found.isPresent() ? recentlyFound : unknown).put(hash, true);
        return found;
    }

    /** One query, without a transaction, from any thread. */
    @ActivateRequestContext
    Optional<CachedKey> find(KeyHash hash) {
        return ApiKey.Secret.find("""
                        select k.id, p.name, coalesce(p.limits.perMinute, k.ownLimits.perMinute),
                               coalesce(p.limits.perDay, k.ownLimits.perDay), k.version, k.createdAt, k.expiresAt, k.revokedAt, s.rotatedAt, s.expiresAt
                        from ApiKeySecret s join s.key k join k.plan p where s.hash = ?1""", (Object) hash.bytes())
                .project(CachedKey.class)
                .firstResultOptional();
    }

    /** Gives a key whose version in PostgreSQL is behind the one in Redis a version that is newer than both, and changes nothing else. */
    @Transactional
    void overtake(long id, long known) {
        ApiKey.lock(id).filter(key -> key.version < known).ifPresent(key -> {
            LOG.warnf(
                    "PostgreSQL has gone back: key %d has version %d there, but version %d in Redis."
                            + " The data in PostgreSQL is used",
                    id, key.version, known);
            key.raiseVersion(known, clock.instant());
        });
    }

    private static Caffeine<Object, Object> cache(Duration time, long size) {
        return Caffeine.newBuilder()
                .expireAfterWrite(time)
                .maximumSize(size)
                .executor(Infrastructure.getDefaultWorkerPool());
    }

    /**
     * A key as read from the database. It expires a cache time after its query began, not after it ended.
     *
     * @param epoch the epoch in which the query began
     * @param key the result, or the query in flight
     */
    private record Copy(long epoch, CompletableFuture<Optional<CachedKey>> key) {}
}
