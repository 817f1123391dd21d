package dev.animalstore.metering.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Keys with a version in the database that has gone back. */
@QuarkusTest
class KeyVersionTest {
    /** 2<sup>52</sup>, the year 2112 in microseconds. */
    private static final long LATEST = 1L << 52;

    private final TestKey key = TestKey.of("free").restore("version = 3");

    @Inject
    KeyCache keys;

    @Test
    void raise_ofAKeyThatIsNotBehind_changesNothing() {
        keys.raise(key.id(), 2);
        assertEquals(3, version());
    }

    /** The version that Redis knows is that of a PostgreSQL whose clock was ahead. */
    @Test
    void raise_ofAKeyThatIsBehind_makesItNewer() {
        keys.raise(key.id(), LATEST - 1);
        assertTrue(version() >= LATEST && version() <= LATEST + 1000, () -> "version " + version());
    }

    @RepeatedTest(10)
    void raise_duringAChange_isBehindNeither() {
        CompletableFuture<Void> raising = CompletableFuture.runAsync(() -> keys.raise(key.id(), 4));
        long changed = change();
        raising.join();
        assertTrue(version() >= changed, "changed to " + changed);
    }

    /** As a busy key has when PostgreSQL has gone back: the worker threads would all wait for its row. */
    @Test
    void raises_ofAKeyAtOnce_shareOneTransaction() {
        List<CompletableFuture<Void>> raises = new ArrayList<>();
        TestDatabase.during("select from api_key where id = %d for update".formatted(key.id()), () -> {
            Stream.generate(() -> keys.raiseVersion(key.id(), 4)).limit(1500).forEach(raises::add);
            Awaitility.await().until(() -> waiting() > 0);
            assertEquals(1, waiting());
        });
        // A slow machine exceeds the timeout of the statement.
        raises.forEach(raise -> raise.exceptionally(timeout -> null).join());
        keys.raiseVersion(key.id(), 4).join();
        assertTrue(version() > 4);
    }

    /** After a lost change the same number of changes gives another version, so that a replica can tell them apart. */
    @Test
    void change_afterOneWasLost_hasAnotherVersion() {
        long lost = change();
        key.restore("version = 3");
        assertNotEquals(lost, change());
    }

    /** As a rotation: Hibernate then updates no key. */
    @Test
    void raiseVersion_afterAChangeOfSecretsOnly_isWhatTheDatabaseHas() {
        long changed = QuarkusTransaction.requiringNew().call(() -> {
            ApiKey rotated = ApiKey.lock(key.id()).orElseThrow();
            rotated.secrets.get(0).expiresAt = rotated.createdAt;
            rotated.raiseVersion();
            return rotated.version;
        });
        assertTrue(changed > 3);
        assertEquals(changed, version());
    }

    private static long waiting() {
        return TestDatabase.number(
                "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()");
    }

    private long change() {
        return QuarkusTransaction.requiringNew().call(() -> {
            ApiKey changed = ApiKey.lock(key.id()).orElseThrow();
            changed.raiseVersion();
            return changed.version;
        });
    }

    private long version() {
        return TestDatabase.number("select version from api_key where id = " + key.id());
    }
}
