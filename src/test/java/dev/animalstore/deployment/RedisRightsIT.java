package dev.animalstore.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/** The package on a Redis with the user of {@code users.acl}, who may do only what the service does. */
class RedisRightsIT {
    private static final String USER = "animalstore";
    private static final String PASSWORD = "ab+cd/ef=";
    /** As in an address (RFC 3986), which also names the database. */
    private static final String CREDENTIALS = USER + ":ab+cd%2Fef=@";

    private static final int FREE_PER_MINUTE = 60;

    /** While Redis is unavailable, a revocation takes effect on every replica within this time. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    @AutoClose
    private static RedisProcess redis;

    @AutoClose("kill")
    private static Replica replica;

    @BeforeAll
    static void start() throws IOException {
        redis = new RedisProcess("redis-with-users");
        redis.kill();
        startRedis();
        redis.ask(Jedis::flushAll);
        String address = redis.address().replace("redis://", "redis://" + CREDENTIALS) + "/0";
        replica = Replica.start(Map.of("quarkus.redis.hosts", address));
    }

    @BeforeEach
    void forgetDenials() {
        redis.ask(Jedis::aclLogReset);
    }

    @Test
    void service_withTheseRights_isDeniedNothing() throws Exception {
        TestKey key = replica.issue("{\"owner\":\"test\",\"plan\":\"free\"}");
        List<Integer> statuses = Stream.generate(() -> replica.status(key))
                .limit(2 * FREE_PER_MINUTE + 1)
                .toList();
        assertEquals(FREE_PER_MINUTE, Collections.frequency(statuses, 200));
        String path = Operator.path(key);
        assertTrue(operate("GET", path, "", 200).contains("\"ban\":{"));
        operate("DELETE", path + "/ban", "", 204);
        operate("PATCH", path, "{\"plan\":\"pro\"}", 200);
        assertEquals(200, replica.status(key));
        operate("POST", path + "/rotation", "{\"graceSeconds\":60}", 201);
        operate("DELETE", path, "", 204);
        assertEquals(401, replica.status(key));
        assertEquals(401, replica.status(TestKey.of("free").update("expires_at = now() - interval '1 hour'")));
        assertNothingIsDenied();
    }

    /** Every other command works, so a probe by another one would say that quotas are shared. */
    @Test
    void redis_thatRefusesScripts_isAwayUntilItRunsThemAgainAndIsLoggedOnce() throws IOException {
        TestKey key = TestKey.unlimited();
        Awaitility.await().until(() -> replica.status(key) == 200 && counted(key) > 0);
        redis.ask(jedis -> jedis.aclSetUser(USER, "-eval", "-evalsha"));
        try {
            Awaitility.await().until(() -> replica.status(key) == 200 && !isShared());
            int before = counted(key);
            Awaitility.await().during(Duration.ofSeconds(2)).until(() -> replica.status(key) == 200 && !isShared());
            assertEquals(before, counted(key));
        } finally {
            redis.ask(jedis -> jedis.aclSetUser(USER, "+eval", "+evalsha"));
        }
        Awaitility.await().until(RedisRightsIT::isShared);
        assertEquals(1, replica.messages("Redis is unavailable (NOPERM").size());
    }

    /** Redis knows no newer version than the other replica's copy until that replica looks. */
    @Test
    @Tag("timed")
    @Tag("long")
    void revocation_byAReplicaThatAloneIsCutOff_takesEffectOnTheOtherWithinThirtySeconds() throws IOException {
        String address = redis.address().replace("redis://", "redis://" + RedisProcess.OBSERVER + ":any@");
        try (Replica other = Replica.start(Map.of("quarkus.redis.hosts", address))) {
            TestKey key = replica.issue(Operator.UNLIMITED);
            assertEquals(200, other.status(key));
            redis.ask(users -> users.aclSetUser(USER, "off"));
            try {
                redis.ask(users -> users.sendCommand(Protocol.Command.CLIENT, "KILL", "USER", USER));
                Awaitility.await().until(() -> replica.status(key) == 200 && replica.isDegraded());
                assertEquals(
                        204, replica.operate("DELETE", Operator.path(key), "").statusCode());
                Awaitility.await()
                        .atMost(LONGEST.plus(Replica.ROOM))
                        .until(() -> other.status(key) == 401 && replica.status(key) == 401);
            } finally {
                redis.ask(users -> users.aclSetUser(USER, "on"));
            }
            Awaitility.await().until(RedisRightsIT::isShared);
        }
    }

    private static boolean isShared() {
        boolean up = replica.metric("animalstore_redis_up") == 1;
        return up && !replica.isDegraded();
    }

    @Test
    void user_withTheseRights_mayNeitherInspectNorDestroy() {
        try (Jedis service = redis.connect()) {
            service.auth(USER, PASSWORD);
            List<Consumer<Jedis>> misdeeds = List.of(
                    Jedis::flushAll,
                    jedis -> jedis.keys("*"),
                    jedis -> jedis.configGet("*"),
                    Jedis::aclList,
                    Jedis::shutdown,
                    jedis -> jedis.del("animalstore:{1}"),
                    jedis -> jedis.hget("another:{1}", "v"),
                    jedis -> jedis.eval("return redis.call('FLUSHALL')", 0),
                    jedis -> jedis.eval("return redis.call('HGET', 'another:{1}', 'v')", 0),
                    jedis -> jedis.publish("channel", "message"));
            misdeeds.forEach(misdeed -> {
                Exception denied = assertThrows(JedisDataException.class, () -> misdeed.accept(service));
                // Redis sends the latter to scripts.
                assertTrue(
                        denied.getMessage()
                                .matches("NOPERM .*|ERR ACL failure in script: .*|ERR .*[Tt]he user .* can't .*"),
                        denied::toString);
            });
        }
    }

    @Test
    void otherUsers_areUnknown() {
        try (Jedis nobody = redis.connect()) {
            Exception unknown = assertThrows(JedisDataException.class, nobody::ping);
            assertTrue(unknown.getMessage().startsWith("NOAUTH "), unknown::toString);
        }
    }

    private static void startRedis() throws IOException {
        redis.startWithUsers(List.of("users.acl"), PASSWORD);
    }

    private static void assertNothingIsDenied() {
        assertEquals(List.of(), redis.ask(Jedis::aclLog));
    }

    /** The number of requests that Redis has counted for a key, without those that a replica has counted locally. */
    private static int counted(TestKey key) {
        String count = redis.ask(jedis -> jedis.hget(RedisState.hash(key), "mc"));
        return count == null ? 0 : Integer.parseInt(count);
    }

    private static String operate(String method, String path, String body, int status) throws Exception {
        HttpResponse<String> response = replica.operate(method, path, body);
        assertEquals(status, response.statusCode(), response.body());
        return response.body();
    }
}
