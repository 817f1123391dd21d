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
 * Finds a key by its secret: from memory, or by one indexed query that runs on a worker thread. Requests that ask for the same secret at
 * the same time share one query. Unknown secrets are remembered apart from known ones, so that a flood of the former cannot displace the
 * latter.
 *
 * <p>All copies can be called in doubt at once. Such a copy is compared with the database when it is asked for next, and believed for the
 * rest of its cache time only while the database does not answer.
 */
@Singleton
public final class KeyCache {
    /** How long it is remembered that a secret was given to somebody, which is longer than what is known of its key is believed. */
    private static final Duration GIVEN_TIME = Duration.ofHours(1);

    private final AsyncCache<KeyHash, Copy> known;
    private final Cache<KeyHash, Boolean> unknown;
    private final Cache<KeyHash, Boolean> given;
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
        given = Caffeine.newBuilder()
                .expireAfterWrite(GIVEN_TIME)
                .maximumSize(config.cacheSize())
                .executor(Infrastructure.getDefaultWorkerPool())
                .build();
        queries = Counter.builder("animalstore.keys.queries")
                .description("Secrets that were not remembered and looked up in the database")
                .register(metrics);
    }

    /**
     * What is remembered of a secret, or is being looked up at the moment: the same as {@link #lookUp} gives. Never blocks.
     *
     * @return empty if nothing is remembered of it
     */
    public Optional<CompletableFuture<Optional<CachedKey>>> recall(KeyHash secret) {
        CompletableFuture<Copy> remembered = known.getIfPresent(secret);
        if (remembered == null && unknown.getIfPresent(secret) != null) {
            return Optional.of(CompletableFuture.completedFuture(Optional.empty()));
        }
        return Optional.ofNullable(remembered).map(copy -> confirm(secret, copy));
    }

    /** Whether a secret was found within the last hour, and so is not a guess. Its key may have been revoked since. */
    public boolean wasFound(KeyHash secret) {
        return given.getIfPresent(secret) != null;
    }

    /**
     * The key of that secret, revoked and expired ones included, by a query unless it is remembered. Never blocks.
     *
     * @return empty for a secret that nobody was given; failed if the database does not answer, which is not remembered
     */
    public CompletableFuture<Optional<CachedKey>> lookUp(KeyHash secret) {
        CompletableFuture<Copy> begun = new CompletableFuture<>();
        CompletableFuture<Copy> earlier = known.asMap().putIfAbsent(secret, begun);
        return earlier == null ? query(secret, begun, Optional.empty()) : confirm(secret, earlier);
    }

    /** Forgets the key of a secret, so that the next {@link #lookUp} asks the database, and does not wait for a query that has begun. */
    public void forget(KeyHash secret) {
        known.synchronous().invalidate(secret);
    }

    /** Calls all copies in doubt, those included that are being read at the moment. Takes the same short time however many there are. */
    public void doubtAll() {
        doubts.incrementAndGet();
    }

    /** What is remembered, or if it is in doubt, what the database says by now. A query that others have begun is not begun again. */
    private CompletableFuture<Optional<CachedKey>> confirm(KeyHash secret, CompletableFuture<Copy> remembered) {
        boolean begunByOthers = !remembered.isDone();
        return remembered.thenCompose(copy -> {
            if (copy == null || (copy.doubts() == doubts.get() && (copy.confirmed() || begunByOthers))) {
                return CompletableFuture.completedFuture(
                        Optional.ofNullable(copy).map(Copy::key));
            }
            CompletableFuture<Copy> begun = new CompletableFuture<>();
            return known.asMap().replace(secret, remembered, begun)
                    ? query(secret, begun, Optional.of(copy))
                    : lookUp(secret);
        });
    }

    private CompletableFuture<Optional<CachedKey>> query(
            KeyHash secret, CompletableFuture<Copy> begun, Optional<Copy> doubted) {
        long doubtsBefore = doubts.get();
        begun.completeAsync(() -> load(secret, doubted, doubtsBefore), Infrastructure.getDefaultWorkerPool());
        return begun.thenApply(copy -> Optional.ofNullable(copy).map(Copy::key));
    }

    private Copy load(KeyHash secret, Optional<Copy> doubted, long doubtsBefore) {
        queries.increment();
        long now = System.nanoTime();
        try {
            Optional<CachedKey> key = keys.findKnown(secret);
            (key.isPresent() ? given : unknown).put(secret, true);
            return key.map(found -> new Copy(found, now, doubtsBefore, true)).orElse(null);
        } catch (RuntimeException unavailable) {
            Copy copy = doubted.filter(old -> !remaining(old).isZero()).orElseThrow(() -> unavailable);
            return new Copy(copy.key(), copy.readNanos(), doubtsBefore, false);
        }
    }

    /** How much longer a copy may be believed, at least zero. */
    private Duration remaining(Copy copy) {
        Duration rest = config.cacheTime().minusNanos(System.nanoTime() - copy.readNanos());
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    /**
     * A key as it was when it was read.
     *
     * @param readNanos when that was, by {@link System#nanoTime}
     * @param doubts how often all copies had been called in doubt when the database was last asked
     * @param confirmed whether the database answered then
     */
    private record Copy(CachedKey key, long readNanos, long doubts, boolean confirmed) {}
}
