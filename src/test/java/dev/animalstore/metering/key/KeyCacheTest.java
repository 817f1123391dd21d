package dev.animalstore.metering.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.metering.key.BearerKey.KeyHash;
import dev.animalstore.metering.key.KeyCache.Copy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which copy a request finds. */
class KeyCacheTest {
    private static final KeyHash SECRET = new KeyHash(1, 0, 0, 0);
    private static final KeyQueries.Row ROW = new KeyQueries.Row(
            new byte[32], 1, "free", 60, 1000, 1, Instant.EPOCH, null, null, null, null, null, false);

    private final long begunNanos = 5;

    private final KeyCache copies =
            new KeyCache(new Config(), new Queries(), null, new SimpleMeterRegistry(), Ticker.systemTicker());

    @Test
    void copy_thatWasForgotten_isFoundAsSuchUntilItIsReadAgain() {
        copies.read(SECRET).join();
        copies.forget(key -> true);
        assertTrue(copies.find(SECRET).isForgotten());
        copies.read(SECRET).join();
        Copy again = copies.find(SECRET);
        assertEquals(ROW.key(), again.key());
        assertEquals(begunNanos, again.readNanos());
        assertFalse(again.isForgotten());
    }

    /** Finds the key at once. */
    private final class Queries extends KeyQueries {
        Queries() {
            super(null, new SimpleMeterRegistry(), Ticker.systemTicker());
        }

        @Override
        synchronized CompletableFuture<Copy> find(KeyHash hash) {
            return CompletableFuture.completedFuture(new Copy(ROW.key(), begunNanos));
        }
    }

    private static final class Config implements KeyConfig {
        @Override
        public String prefix() {
            return "ask";
        }

        @Override
        public String realm() {
            return "animal-store";
        }

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
