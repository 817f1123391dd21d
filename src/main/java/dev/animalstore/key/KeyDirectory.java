package dev.animalstore.key;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Finds a key by its secret: from memory, or by one indexed query that runs on a worker thread. Requests that ask for the same secret at
 * the same time share one query. Unknown secrets are remembered apart from known ones, so that a flood of the former cannot displace the
 * latter.
 */
@Singleton
public final class KeyDirectory {
    private final AsyncCache<KeyHash, KnownKey> known;
    private final Cache<KeyHash, Boolean> unknown;
    private final Counter queries;
    private final KeyStore keys;

    KeyDirectory(KeyConfig config, MeterRegistry metrics, KeyStore keys) {
        this.keys = keys;
        known = Caffeine.newBuilder()
                .expireAfterWrite(config.cacheTime())
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
        queries = Counter.builder("animalstore.keys.queries")
                .description("Secrets that were not remembered and looked up in the database")
                .register(metrics);
    }

    /**
     * The key of that secret, revoked and expired ones included. Never blocks.
     *
     * @return completed at once for a secret that is remembered; empty for one that nobody was given; failed where the database does not
     *     answer, which is not remembered
     */
    public CompletableFuture<Optional<KnownKey>> find(KeyHash secret) {
        CompletableFuture<KnownKey> remembered = known.getIfPresent(secret);
        if (remembered == null && unknown.getIfPresent(secret) != null) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return known.get(secret, (hash, executor) -> CompletableFuture.supplyAsync(() -> load(hash), executor))
                .thenApply(Optional::ofNullable);
    }

    /** Forgets what is known of a secret, so that the next {@link #find} asks the database. */
    public void forget(KeyHash secret) {
        known.synchronous().invalidate(secret);
    }

    /** Forgets all keys, as {@link #forget} does. Secrets that nobody was given stay remembered. */
    public void forgetAll() {
        known.synchronous().invalidateAll();
    }

    private KnownKey load(KeyHash secret) {
        queries.increment();
        Optional<KnownKey> key = keys.findKnown(secret);
        if (key.isEmpty()) {
            unknown.put(secret, true);
        }
        return key.orElse(null);
    }
}
