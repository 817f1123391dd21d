package dev.animalstore.gate;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Independent;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** How many keys are looked up at a time for addresses that have exceeded their limit. */
@Independent
class GuessedKeysTest {
    @AutoClose
    private final Vertx vertx = Vertx.vertx();

    private final GuessedKeys guesses = new GuessedKeys(vertx);
    private final Promise<String> pending = Promise.promise();

    @Test
    void lookUp_theFifthAtATime_isNotBegun() {
        for (int i = 1; i <= 4; i++) {
            assertTrue(begins(pending.future()));
        }
        assertFalse(begins(pending.future()));
    }

    @Test
    void lookUp_completedAtOnce_makesRoomATenthOfASecondLater() {
        long begun = System.nanoTime();
        for (int i = 1; i <= 4; i++) {
            assertTrue(begins(i < 4 ? Future.succeededFuture("") : Future.failedFuture("")));
        }
        Awaitility.await().until(() -> begins(pending.future()));
        long nanos = System.nanoTime() - begun;
        assertTrue(nanos >= 100_000_000, nanos + " ns");
    }

    @Test
    void lookUp_completedLate_makesRoomThen() {
        begins(pending.future());
        begins(pending.future());
        begins(Future.succeededFuture(""));
        begins(Future.succeededFuture(""));
        Promise<String> later = Promise.promise();
        Awaitility.await().until(() -> begins(later.future()));
        Awaitility.await().until(() -> begins(later.future()));
        assertFalse(begins(later.future()));
        pending.complete("");
        Awaitility.await().until(() -> begins(Future.succeededFuture("")));
    }

    /** Whether a look-up is begun, which then returns what is found. */
    private boolean begins(Future<String> found) {
        Optional<Future<String>> begun = guesses.lookUp(() -> found);
        begun.ifPresent(result -> assertSame(found, result));
        return begun.isPresent();
    }
}
