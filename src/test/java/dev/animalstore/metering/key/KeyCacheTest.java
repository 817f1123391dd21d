package dev.animalstore.metering.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.metering.key.BearerKey.KeyHash;
import dev.animalstore.metering.key.KeyCache.Copy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How old a copy is when a request takes it. */
class KeyCacheTest {
    private static final KeyHash SECRET = new KeyHash(1, 0, 0, 0);
    private static final KeyQueries.Row ROW = new KeyQueries.Row(
            new byte[32], 1, "free", 60, 1000, 1, Instant.EPOCH, null, null, null, null, null, false);

    private final long begunNanos = 5;
    private Runnable whileTaken = () -> {};
    private final KeyCache copies =
            new KeyCache(new Config(), new Queries(), null, new SimpleMeterRegistry(), this::taken);

    @Test
    void copy_isAsOldAsItsQueryOrTheLastLook() {
        assertEquals(5, copies.read(SECRET).join().currentNanos());
        assertEquals(5, copies.find(SECRET).currentNanos());
        copies.looked(3);
        assertEquals(5, copies.find(SECRET).currentNanos());
        copies.looked(8);
        assertEquals(8, copies.find(SECRET).currentNanos());
    }

    /** The cache reads the time when it has found the copy. A look that ends then may have found a change that the copy lacks. */
    @Test
    void copy_takenDuringALook_isAsOldAsBefore() {
        copies.read(SECRET).join();
        copies.looked(8);
        whileTaken = () -> copies.looked(20);
        Copy taken = copies.find(SECRET);
        assertEquals(8, taken.currentNanos());
        assertEquals(20, copies.lookedNanos());
    }

    @Test
    void copy_thatWasForgotten_isFoundAsSuchUntilItIsReadAgain() {
        copies.read(SECRET).join();
        copies.forget(key -> true);
        assertTrue(copies.find(SECRET).isForgotten());
        copies.read(SECRET).join();
        assertEquals(new Copy(ROW.key(), 5, false), copies.find(SECRET));
    }

    private long taken() {
        whileTaken.run();
        return 0;
    }

    /** Finds the key at once. */
    private final class Queries extends KeyQueries {
        Queries() {
            super(null, new SimpleMeterRegistry(), Ticker.systemTicker());
        }

        @Override
        synchronized CompletableFuture<Found> find(KeyHash hash) {
            return CompletableFuture.completedFuture(new Found(ROW, begunNanos));
        }
    }

    private static final class Config implements KeyConfig {
        @Override
        public BearerKey.Environment environment() {
            return BearerKey.Environment.TEST;
        }

        @Override
        public Duration cacheTime() {
            return Duration.ofSeconds(30);
        }

        @Override
        public long cacheSize() {
            return 10;
        }
    }
}
