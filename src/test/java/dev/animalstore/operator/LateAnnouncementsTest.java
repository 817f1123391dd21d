package dev.animalstore.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes that are committed and not announced are announced later. Until then Redis confirms the copies of replicas. */
@QuarkusTest
class LateAnnouncementsTest {
    @Inject
    LateAnnouncements announcements;

    private TestKey key;

    @BeforeEach
    void issue() {
        key = Operator.issue("{\"owner\":\"late\",\"plan\":\"free\"}");
    }

    /** As if a replica had been killed after the commit. */
    @Test
    void change_whoseReplicaWasKilled_isAnnounced() {
        key.list().statusCode(200);
        key.update("revoked_at = now(), version = version + 1");
        addUnannounced(1);
        announcements.announce();
        key.list().statusCode(401);
        assertEquals(0, unannounced());
    }

    @Test
    void manyChanges_areAnnouncedInOneRun() {
        addUnannounced(2500);
        announcements.announce();
        assertEquals(0, unannounced());
    }

    @Test
    void change_thatRedisRefuses_isAnnouncedOnceItDoesNot() {
        announcements.announce();
        RedisState.refuseWrites(() -> {
            Operator.revoke(key).statusCode(204);
            announcements.announce();
            assertEquals(1, unannounced());
        });
        announcements.announce();
        assertEquals(0, unannounced());
        assertEquals(
                TestDatabase.number("select version from api_key where id = " + key.id()),
                Long.parseLong(RedisState.read(key).get("v")));
    }

    @Test
    void change_whilePostgresIsAway_isLeftForTheNextRun() {
        TestDatabase.during("lock table key_change in access exclusive mode", announcements::announce);
        announcements.announce();
        assertEquals(0, unannounced());
    }

    private void addUnannounced(int count) {
        TestDatabase.execute("insert into key_change (key_id, at, operator, action, announced) select " + key.id()
                + ", now(), 'admin', 'revokeKey', false from generate_series(1, " + count + ")");
    }

    private long unannounced() {
        return TestDatabase.number("select count(*) from key_change where not announced and key_id = " + key.id());
    }
}
