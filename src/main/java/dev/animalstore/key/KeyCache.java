package dev.animalstore.key;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.animalstore.key.BearerKey.KeyHash;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Finds a key by its secret: from memory, or by one indexed query on a worker thread. Concurrent requests for the same secret share one
 * query. Unknown secrets are cached separately, so a flood of them cannot evict known ones.
 *
 * <p>Secrets that were not found within the last hour may be guesses. Only {@value #PLACES} of them are looked up at a time, and one that
 * is unknown keeps its place for {@value #PLACE_KEPT_SECONDS} seconds. So guesses cause at most 100 queries per second, from however many
 * addresses they come. Secrets that were found within the hour need no place.
 *
 * <p>Callers name an epoch, a number that grows. A copy whose query began in an earlier epoch is not used, so a new epoch makes all copies
 * void at once.
 */
@Singleton
public class KeyCache {
    private static final Logger LOG = Logger.getLogger(KeyCache.class);

    /** How long a secret that was found counts as not guessed. It is longer than a key is cached. */
    private static final Duration RECENT_TIME = Duration.ofHours(1);

    static final int PLACES = 200;
    private static final int PLACE_KEPT_SECONDS = 2;
    private static final long MAXIMUM_UNKNOWN = 100_000;
    private static final CompletableFuture<Optional<CachedKey>> NOT_FOUND =
            CompletableFuture.completedFuture(Optional.empty());

    private final Cache<KeyHash, Copy> known;
    private final Cache<KeyHash, Copy> unknown;
    private final Cache<KeyHash, Boolean> recentlyFound;
    private final Semaphore places = new Semaphore(PLACES);
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

    /** The first look-up, of no key: a database that refuses it prevents the start, and later ones take no longer than others. */
    void verify(@Observes StartupEvent started) {
        find(new KeyHash(0, 0, 0, 0));
    }

    /**
     * The cached copy of a secret's key, or the one that is being queried. Never blocks.
     *
     * @return {@code null} if nothing of that epoch is cached for it
     */
    public Copy recall(KeyHash hash, long epoch) {
        Copy copy = known.getIfPresent(hash);
        if (copy == null) {
            copy = unknown.getIfPresent(hash);
        }
        return copy != null && copy.epoch() >= epoch ? copy : null;
    }

    /**
     * The key of a secret, including revoked and expired ones, by a query unless it is cached. Never blocks.
     *
     * @return {@code null} if the secret may be a guess and too many of those are being looked up
     */
    public Copy lookUp(KeyHash hash, long epoch) {
        boolean guess = recentlyFound.getIfPresent(hash) == null;
        if (guess && !places.tryAcquire()) {
            return null;
        }
        Copy copy = read(hash, epoch, null, () -> query(hash));
        if (guess) {
            var unused = copy.key().whenComplete((found, failure) -> {
                if (failure == null && found.isEmpty()) {
                    CompletableFuture.delayedExecutor(PLACE_KEPT_SECONDS, TimeUnit.SECONDS, Runnable::run)
                            .execute(places::release);
                } else {
                    places.release();
                }
            });
        }
        return copy;
    }

    /**
     * A copy that is newer than an outdated one: that of a query which has begun meanwhile, or of a new query.
     *
     * <p>A version is announced to Redis after it was committed in PostgreSQL, so a query that begins after Redis reported a version finds at
     * least that one. If it does not, PostgreSQL has lost data: it was restored, or a failover lost the commit. Its current row is then valid,
     * and gets a version newer than any replica's copy.
     *
     * @param newest the version of the copy's key that Redis reported
     */
    public Copy renew(KeyHash hash, long epoch, Copy outdated, long newest) {
        long id = outdated.key().join().orElseThrow().id();
        return read(hash, epoch, outdated, () -> {
            Optional<CachedKey> found = query(hash);
            if (found.isPresent() && found.get().id() == id && found.get().version() < newest) {
                overtake(id, newest);
                return query(hash);
            }
            return found;
        });
    }

    private Copy read(KeyHash hash, long epoch, Copy outdated, Supplier<Optional<CachedKey>> query) {
        Copy copy = known.asMap().compute(hash, (ignored, present) -> {
            if (present != null && present.epoch() >= epoch && !present.equals(outdated)) {
                return present;
            }
            // A worker pool that rejects the query fails it.
            return new Copy(
                    epoch,
                    System.nanoTime(),
                    CompletableFuture.completedFuture(query)
                            .thenApplyAsync(Supplier::get, Infrastructure.getDefaultWorkerPool()));
        });
        var unused = copy.key().whenComplete((found, failure) -> {
            if (failure == null && found.isEmpty()) {
                unknown.put(hash, new Copy(copy.epoch(), copy.begunNanos(), NOT_FOUND));
            }
            if (failure != null || found.isEmpty()) {
                known.asMap().remove(hash, copy);
            }
        });
        return copy;
    }

    private Optional<CachedKey> query(KeyHash hash) {
        queries.increment();
        Optional<CachedKey> found = find(hash);
        if (found.isPresent()) {
            recentlyFound.put(hash, true);
        }
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
     * @param begunNanos when the query began, by {@link System#nanoTime}
     * @param key the result, empty for an unknown secret, or the query in flight; failed if the database is unavailable
     */
    public record Copy(long epoch, long begunNanos, CompletableFuture<Optional<CachedKey>> key) {
        /** Whether the copy has every change that was committed before that time. */
        public boolean wasReadAfter(long nanos) {
            return begunNanos - nanos >= 0;
        }
    }
}
