package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Operator;
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
 * Two replicas, one of which alone is cut off from Redis: its user there is locked out.
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
        cutOff = start(redis.address().replace("//", "//" + ALONE + ":" + ALONE + "@"));
        other = start(redis.address());
    }

    private static Replica start(String address) throws IOException {
        return Replica.startWithTimeouts(Map.of("quarkus.redis.hosts", address));
    }

    /** Redis knows no newer version than the other replica's copy until that replica looks. */
    @Test
    void revocation_byAReplicaThatAloneIsCutOff_takesEffectOnTheOther() {
        TestKey key = cutOff.issue(Operator.UNLIMITED);
        assertEquals(200, other.status(key));
        redis.ask(users -> users.aclSetUser(ALONE, "off"));
        redis.ask(users -> users.sendCommand(Protocol.Command.CLIENT, "KILL", "USER", ALONE));
        Awaitility.await().until(() -> cutOff.status(key) == 200 && cutOff.isDegraded());
        assertEquals(204, cutOff.operate("DELETE", Operator.path(key), "").statusCode());
        Awaitility.await()
                .atMost(LONGEST.plus(Replica.ROOM))
                .until(() -> other.status(key) == 401 && cutOff.status(key) == 401);
        redis.ask(users -> users.aclSetUser(ALONE, "on"));
        Awaitility.await().until(cutOff::isShared);
    }
}
