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
    private final KeyRegistry keys;

    KeyDirectory(KeyConfig config, MeterRegistry metrics, KeyRegistry keys) {
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
     * What is remembered of a secret, or is being looked up at the moment: the same as {@link #lookUp} gives. Never blocks.
     *
     * @return empty if only the database can tell
     */
    public Optional<CompletableFuture<Optional<KnownKey>>> recall(KeyHash secret) {
        CompletableFuture<KnownKey> remembered = known.getIfPresent(secret);
        if (remembered == null && unknown.getIfPresent(secret) != null) {
            return Optional.of(CompletableFuture.completedFuture(Optional.empty()));
        }
        return Optional.ofNullable(remembered).map(key -> key.thenApply(Optional::ofNullable));
    }

    /**
     * The key of that secret, revoked and expired ones included, by a query unless it is remembered. Never blocks.
     *
     * @return empty for a secret that nobody was given; failed if the database does not answer, which is not remembered
     */
    public CompletableFuture<Optional<KnownKey>> lookUp(KeyHash secret) {
        CompletableFuture<KnownKey> begun = new CompletableFuture<>();
        CompletableFuture<KnownKey> earlier = known.asMap().putIfAbsent(secret, begun);
        if (earlier == null) {
            begun.completeAsync(() -> load(secret), Infrastructure.getDefaultWorkerPool());
        }
        return (earlier == null ? begun : earlier).thenApply(Optional::ofNullable);
    }

    /** Forgets the key of a secret, so that the next {@link #lookUp} asks the database, and does not wait for a query that has begun. */
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
