package dev.animalstore.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.key.BearerKey.KeyHash;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which copies of a key are used. */
class KeyCacheTest {
    private static final KeyConfig SETTINGS = new SmallRyeConfigBuilder()
            .addDiscoveredConverters()
            .withMapping(KeyConfig.class)
            .build()
            .getConfigMapping(KeyConfig.class);
    private static final KeyHash HASH = new KeyHash(1, 2, 3, 4);

    private final Executor usual = Infrastructure.getDefaultExecutor();
    private final ScheduledThreadPoolExecutor workers = new ScheduledThreadPoolExecutor(2);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicInteger queries = new AtomicInteger();
    private KeyCache cache;

    @BeforeEach
    void start() {
        Infrastructure.setDefaultExecutor(workers);
        cache = new Cache();
    }

    @AfterEach
    void stop() {
        Infrastructure.setDefaultExecutor(usual);
        workers.shutdownNow();
    }

    @Test
    void copy_isUsedInItsEpochAndNotInTheNext() {
        mayEnd.countDown();
        cache.lookUp(HASH, 1).join();
        assertNotNull(cache.recall(HASH, 1));
        assertEquals(1, cache.lookUp(HASH, 1).join().orElseThrow().version());
        assertNull(cache.recall(HASH, 2));
        assertEquals(2, cache.lookUp(HASH, 2).join().orElseThrow().version());
        assertEquals(2, cache.lookUp(HASH, 1).join().orElseThrow().version());
    }

    /** A new epoch begins while a query runs, which may not see a change that was committed meanwhile. */
    @Test
    void query_ofTheEpochBefore_isNotJoined() throws InterruptedException {
        CompletableFuture<Optional<CachedKey>> before = cache.lookUp(HASH, 1);
        begun.await();
        CompletableFuture<Optional<CachedKey>> after = cache.lookUp(HASH, 2);
        mayEnd.countDown();
        assertEquals(1, before.join().orElseThrow().version());
        assertEquals(2, after.join().orElseThrow().version());
        assertEquals(2, cache.recall(HASH, 2).join().orElseThrow().version());
    }

    @Test
    void query_thatNoThreadTakes_failsAndIsNotRemembered() {
        workers.shutdownNow();
        assertTrue(cache.lookUp(HASH, 1).isCompletedExceptionally());
        assertNull(cache.recall(HASH, 1));
    }

    /** With a key whose version counts the queries. */
    private final class Cache extends KeyCache {
        Cache() {
            super(SETTINGS, new SimpleMeterRegistry(), Clock.systemUTC());
        }

        @Override
        Optional<CachedKey> find(KeyHash hash) {
            int version = queries.incrementAndGet();
            begun.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return Optional.of(new CachedKey(1, "free", 60, 1000, version, Instant.EPOCH, null, null, null, null));
        }
    }
}
