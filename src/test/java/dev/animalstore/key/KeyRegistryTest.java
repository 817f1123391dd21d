package dev.animalstore.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Keys with a version in the database that has gone back. */
@QuarkusTest
class KeyRegistryTest {
    private final TestKey key = TestKey.of("free").update("version = 3");

    @Inject
    KeyRegistry keys;

    @Test
    void overtake_ofAKeyThatIsNotBehind_changesNothing() {
        assertEquals(3, keys.overtake(key.id(), 2));
        assertEquals(List.of(3L), version());
    }

    @RepeatedTest(10)
    void overtake_byManyAtOnce_isDoneOnce() {
        List<CompletableFuture<Long>> attempts = Stream.generate(
                        () -> CompletableFuture.supplyAsync(() -> keys.overtake(key.id(), 7)))
                .limit(8)
                .toList();
        attempts.forEach(attempt -> assertEquals(8, attempt.join()));
        assertEquals(List.of(8L), version());
    }

    @RepeatedTest(10)
    void overtake_duringAChange_isBehindNeither() {
        CompletableFuture<Long> overtaking = CompletableFuture.supplyAsync(() -> keys.overtake(key.id(), 4));
        long changed = keys.revoke(key.id(), OptionalLong.empty()).orElseThrow().version();
        long overtaken = overtaking.join();
        assertTrue(overtaken > 4, "overtaken by " + overtaken);
        assertEquals(List.of(Math.max(changed, overtaken)), version());
    }

    /** After a lost change the same number of changes gives another version, so that a replica can tell them apart. */
    @Test
    void change_afterOneWasLost_hasAnotherVersion() {
        long lost = keys.revoke(key.id(), OptionalLong.empty()).orElseThrow().version();
        key.update("version = 3, revoked_at = null");
        assertNotEquals(
                lost, keys.revoke(key.id(), OptionalLong.empty()).orElseThrow().version());
    }

    private List<Long> version() {
        return TestDatabase.query("select version from api_key where id = " + key.id());
    }
}
