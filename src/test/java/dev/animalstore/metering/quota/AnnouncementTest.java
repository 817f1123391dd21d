package dev.animalstore.metering.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Future;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a replica tells the others that a key has changed. */
@QuarkusTest
class AnnouncementTest {
    private final TestKey key = TestKey.unlimited();

    @Inject
    QuotaLimiter limiter;

    @Test
    void announcement_thatRedisHasRefused_isRepeated() {
        // So that the script is known.
        assertTrue(await(limiter.announce(subject(6))));
        List<Future<Boolean>> announced = new ArrayList<>();
        RedisState.refuseWrites(() -> {
            announced.add(limiter.announce(subject(7)));
            // By the same connection, so the outcome of the first attempt is known too.
            await(limiter.peek(subject(7)));
            assertFalse(announced.get(0).isComplete());
            assertEquals("6", RedisState.read(key).get("v"));
        });
        assertTrue(await(announced.get(0)));
        assertEquals("7", RedisState.read(key).get("v"));
    }

    private Subject subject(long version) {
        return new Subject(new SubjectId(key.id(), key.created()), version, new Quota(60, 1000), Subject.NEVER);
    }

    private static <T> T await(Future<T> result) {
        return result.toCompletionStage().toCompletableFuture().join();
    }
}
