package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Protocol;

/**
 * Two replicas, one of which alone is cut off from Redis: its user there is locked out. Their database is their own, since replicas of other
 * tests would announce their changes.
 */
@Tag("long")
class CutOffReplicaIT {
    /** While Redis is unavailable, a revocation takes effect on every replica within this time. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final String ALONE = "alone";

    @AutoClose
    private static RedisProcess redis;

    @AutoClose
    private static Replica cutOff;

    @AutoClose
    private static Replica other;

    @BeforeAll
    static void start() throws IOException {
        redis = new RedisProcess("redis-of-a-cut-off-replica");
        redis.ask(users -> users.aclSetUser(ALONE, "on", ">" + ALONE, "~*", "&*", "+@all"));
        String database = TestDatabase.recreate("cut_off_replica_it");
        cutOff = start(database, redis.address().replace("//", "//" + ALONE + ":" + ALONE + "@"));
        other = start(database, redis.address());
    }

    private static Replica start(String database, String address) throws IOException {
        return Replica.startWithTimeouts(
                Map.of("quarkus.datasource.jdbc.url", database, "quarkus.redis.hosts", address));
    }

    /** Redis keeps confirming the other replica's copy until that replica announces the change. */
    @Test
    void revocation_byAReplicaThatAloneIsCutOff_takesEffectOnTheOther() {
        TestKey key = cutOff.issue(Operator.UNLIMITED);
        assertEquals(200, other.status(key));
        redis.ask(users -> users.aclSetUser(ALONE, "off"));
        redis.ask(users -> users.sendCommand(Protocol.Command.CLIENT, "KILL", "USER", ALONE));
        Awaitility.await().until(() -> cutOff.status(key) == 200 && cutOff.isDegraded());
        assertEquals(204, cutOff.operate("DELETE", Operator.path(key), "").statusCode());
        assertEquals(401, cutOff.status(key));
        Awaitility.await().atMost(LONGEST.plus(Replica.ROOM)).until(() -> other.status(key) == 401);
        redis.ask(users -> users.aclSetUser(ALONE, "on"));
        Awaitility.await().until(cutOff::isShared);
    }
}
