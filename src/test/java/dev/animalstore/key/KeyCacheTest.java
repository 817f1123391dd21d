package dev.animalstore.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.key.BearerKey.KeyHash;
import dev.animalstore.key.KeyCache.Copy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
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
    private static final Logger CAFFEINE = Logger.getLogger("com.github.benmanes.caffeine");
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
        cache.lookUp(HASH, 1).key().join();
        assertNotNull(cache.recall(HASH, 1));
        assertEquals(1, version(cache.lookUp(HASH, 1)));
        assertNull(cache.recall(HASH, 2));
        assertEquals(2, version(cache.lookUp(HASH, 2)));
        assertEquals(2, version(cache.lookUp(HASH, 1)));
    }

    /** A new epoch begins while a query runs, which may not see a change that was committed meanwhile. */
    @Test
    void query_ofTheEpochBefore_isNotJoined() throws InterruptedException {
        Copy before = cache.lookUp(HASH, 1);
        begun.await();
        Copy after = cache.lookUp(HASH, 2);
        mayEnd.countDown();
        assertEquals(1, version(before));
        assertEquals(2, version(after));
        assertEquals(2, version(cache.recall(HASH, 2)));
    }

    @Test
    void outdatedCopy_isRenewedByOneQueryForAllThatHaveIt() {
        mayEnd.countDown();
        Copy outdated = cache.lookUp(HASH, 1);
        version(outdated);
        for (int i = 0; i < 60; i++) {
            assertEquals(2, version(cache.renew(HASH, 1, outdated, 2)));
        }
        assertEquals(3, version(cache.renew(HASH, 1, cache.recall(HASH, 1), 3)));
    }

    @Test
    void copy_wasReadAfterWhatItsQueryFollowed() {
        mayEnd.countDown();
        long before = System.nanoTime();
        Copy copy = cache.lookUp(HASH, 1);
        assertTrue(copy.wasReadAfter(before));
        assertFalse(copy.wasReadAfter(System.nanoTime() + 1));
    }

    /** The database may have been restored since. */
    @Test
    void unknownSecret_isRememberedInItsEpochOnly() {
        mayEnd.countDown();
        assertEquals(Optional.empty(), cache.lookUp(guess(0), 1).key().join());
        assertEquals(Optional.empty(), cache.recall(guess(0), 1).key().join());
        assertNull(cache.recall(guess(0), 2));
    }

    @Test
    void guesses_beyondThePlaces_areNotLookedUpWhileKnownSecretsAre() {
        mayEnd.countDown();
        cache.lookUp(HASH, 1).key().join();
        for (int i = 0; i < KeyCache.PLACES; i++) {
            cache.lookUp(guess(i), 1).key().join();
        }
        assertNull(cache.lookUp(guess(KeyCache.PLACES), 1));
        assertEquals(KeyCache.PLACES + 1, queries.get());
        assertEquals(KeyCache.PLACES + 2, version(cache.lookUp(HASH, 2)));
        Awaitility.await().until(() -> cache.lookUp(guess(KeyCache.PLACES), 1) != null);
    }

    @Test
    void query_thatNoThreadTakes_failsAndIsNotRemembered() {
        // It logs a stack trace for each task of its own that no thread takes.
        CAFFEINE.setLevel(Level.OFF);
        workers.shutdownNow();
        for (int i = 0; i <= KeyCache.PLACES; i++) {
            assertTrue(cache.lookUp(HASH, 1).key().isCompletedExceptionally());
        }
        assertNull(cache.recall(HASH, 1));
        CAFFEINE.setLevel(null);
    }

    private static long version(Copy copy) {
        return copy.key().join().orElseThrow().version();
    }

    private static KeyHash guess(int number) {
        return new KeyHash(number, 0, 0, 0);
    }

    /** With one key, whose version counts the queries. */
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
            if (!hash.equals(HASH)) {
                return Optional.empty();
            }
            return Optional.of(new CachedKey(1, "free", 60, 1000, version, Instant.EPOCH, null, null, null, null));
        }
    }
}
