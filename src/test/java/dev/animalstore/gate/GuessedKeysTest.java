package dev.animalstore.gate;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many keys are looked up at a time for addresses with an exhausted budget. */
class GuessedKeysTest {
    private final Vertx vertx = Vertx.vertx();
    private final GuessedKeys guesses = new GuessedKeys(vertx);
    private final Promise<String> pending = Promise.promise();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1, 192.0.2.1, 192.0.2.2",
        "2001:db8:1:2::1, 2001:db8:1:2::2, 2001:db8:1:2::3, 2001:db8:1:3::1"
    })
    void lookUp_theThirdOfAnAddressOrIpv6Network_isNotBegun(String first, String second, String third, String other) {
        assertTrue(begins(first, pending.future()));
        assertTrue(begins(second, pending.future()));
        assertFalse(begins(third, pending.future()));
        assertTrue(begins(other, pending.future()));
    }

    @Test
    void lookUp_theFifthOfAll_isNotBegun() {
        for (int i = 1; i <= 4; i++) {
            assertTrue(begins("192.0.2." + i, pending.future()));
        }
        assertFalse(begins("192.0.2.5", pending.future()));
    }

    @Test
    void lookUp_completedAtOnce_makesRoomATenthOfASecondLater() {
        long begun = System.nanoTime();
        assertTrue(begins("192.0.2.1", Future.succeededFuture("")));
        assertTrue(begins("192.0.2.1", Future.failedFuture("")));
        Awaitility.await().until(() -> begins("192.0.2.1", pending.future()));
        long nanos = System.nanoTime() - begun;
        assertTrue(nanos >= 100_000_000, nanos + " ns");
    }

    @Test
    void lookUp_completedLate_makesRoomThen() {
        begins("192.0.2.1", pending.future());
        begins("192.0.2.1", pending.future());
        assertTrue(begins("192.0.2.2", Future.succeededFuture("")));
        assertTrue(begins("192.0.2.2", Future.succeededFuture("")));
        Awaitility.await().until(() -> begins("192.0.2.2", pending.future()));
        assertFalse(begins("192.0.2.1", pending.future()));
        pending.complete("");
        Awaitility.await().until(() -> begins("192.0.2.1", Future.succeededFuture("")));
    }

    /** Whether a look-up is begun, which then returns what is found. */
    private boolean begins(String address, Future<String> found) {
        Optional<Future<String>> begun = guesses.lookUp(SocketAddress.inetSocketAddress(1, address), () -> found);
        begun.ifPresent(result -> assertSame(found, result));
        return begun.isPresent();
    }
}
