package dev.animalstore.key;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.Rows;
import dev.animalstore.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Keys whose version in the database has gone back. */
@QuarkusTest
class KeyRegistryTest {
    private final TestKey key = TestKey.of("free").update("version = 3");

    @Inject
    KeyRegistry keys;

    @Test
    void overtake_ofAKeyThatIsNotBehind_changesNothing() {
        assertEquals(false, keys.overtake(key.id(), 2));
        assertEquals(List.of(3L), version());
    }

    @RepeatedTest(10)
    void overtake_byManyAtOnce_isDoneByOneOfThem() {
        List<CompletableFuture<Boolean>> attempts = Stream.generate(
                        () -> CompletableFuture.supplyAsync(() -> keys.overtake(key.id(), 7)))
                .limit(8)
                .toList();
        assertEquals(1, attempts.stream().filter(CompletableFuture::join).count());
        assertEquals(List.of(8L), version());
    }

    @RepeatedTest(10)
    void overtake_besideAChange_endsBehindNeither() {
        CompletableFuture<Boolean> overtaking = CompletableFuture.supplyAsync(() -> keys.overtake(key.id(), 3));
        long changed = keys.revoke(key.id()).orElseThrow().version();
        assertEquals(overtaking.join() ? 5 : 4, changed);
        assertEquals(List.of(changed), version());
    }

    private List<Long> version() {
        return Rows.query("select version from api_key where id = " + key.id());
    }
}
