package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

/**
 * Revocations that cannot be announced at once, because Redis hangs, is gone or loses its data, or because the replica dies. The cache time
 * of the two replicas is longer than a test. Their database is their own, since replicas with another Redis would announce the revocations
 * there.
 */
@Tag("long")
class UnraisedVersionIT {
    /** A key that is banned by its eleventh request. */
    private static final String FIVE_A_MINUTE =
            "{\"owner\":\"test\",\"plan\":\"enterprise\",\"limits\":{\"perMinute\":5,\"perDay\":1000}}";

    private static KeyDatabase database;
    private static RedisProcess redis;
    private static Replica first;
    private static Replica second;

    private TestKey key;

    @BeforeAll
    static void start() throws IOException {
        database = KeyDatabase.create("unraised_version_it");
        redis = new RedisProcess(Path.of("target", "test-servers", "redis-of-revocations"));
        Map<String, String> properties = Map.of(
                "quarkus.redis.hosts",
                redis.address(),
                "quarkus.datasource.jdbc.url",
                database.url(),
                "animalstore.keys.cache-time",
                "5m",
                "animalstore.admin.token",
                Operator.TOKEN);
        first = Replica.start(properties);
        second = Replica.start(properties);
    }

    @AfterAll
    static void stop() throws IOException {
        first.close();
        second.close();
        redis.close();
    }

    @BeforeEach
    void issueKey() throws IOException, InterruptedException {
        key = first.issue(Operator.UNLIMITED);
    }

    @Test
    void revocation_whileRedisHangs_takesEffectOnceItIsBackWithoutItsData() throws IOException, InterruptedException {
        assertEquals(List.of(200, 200), statuses());
        redis.hang();
        assertEquals(204, revoke());
        redis.kill();
        redis.start();
        redis.awaitResponse();
        awaitShared();
        assertEquals(List.of(401, 401), statuses());
        database.awaitNoUnraisedVersion();
    }

    @Test
    void revocation_whileRedisIsSlow_takesEffectBeforeTheResponse() throws IOException, InterruptedException {
        assertEquals(List.of(200, 200), statuses());
        try (Jedis server = redis.connect()) {
            server.clientPause(500);
        }
        assertEquals(204, revoke());
        assertEquals(List.of(401, 401), statuses());
        database.awaitNoUnraisedVersion();
    }

    @Test
    void revocation_whileRedisIsGone_succeedsWithinTwoSecondsAndIsAnnouncedAfterwards()
            throws IOException, InterruptedException, SQLException {
        assertEquals(List.of(200, 200), statuses());
        redis.kill();
        long begun = System.nanoTime();
        int status = revoke();
        Duration waited = Duration.ofNanos(System.nanoTime() - begun);
        int unraised = database.unraisedVersions();
        redis.start();
        redis.awaitResponse();
        assertEquals(204, status);
        assertTrue(waited.compareTo(Duration.ofSeconds(2)) < 0, "waited for " + waited);
        assertEquals(1, unraised);
        database.awaitNoUnraisedVersion();
        assertEquals(List.of(401, 401), statuses());
    }

    @Test
    void revocation_byAReplicaThatDiesBeforeTheAnnouncement_takesEffectWithinTwoSeconds() throws SQLException {
        assertEquals(List.of(200, 200), statuses());
        revokeSilently();
        database.execute("insert into unraised_version (key_id, version) values (" + key.id() + ", 2)");
        Awaitility.await()
                .atMost(Duration.ofSeconds(2))
                .untilAsserted(() -> assertEquals(List.of(401, 401), statuses()));
        database.awaitNoUnraisedVersion();
    }

    /** This revocation is not announced, as if Redis had lost the announcement. */
    @ParameterizedTest
    @EnumSource(names = {"KILLED", "HUNG", "READ_ONLY"})
    void copy_ofAKeyFromBeforeAnOutageOfRedis_isNotUsedAfterIt(RedisFault fault) throws IOException, SQLException {
        assertEquals(List.of(200, 200), statuses());
        fault.begin(redis);
        await("degraded");
        revokeSilently();
        fault.end(redis);
        awaitShared();
        assertEquals(List.of(401, 401), statuses());
    }

    @Test
    void copy_ofAKeyFromBeforeARestartOfRedis_isNotUsedByTheNextRequest() throws IOException, SQLException {
        awaitNoReconnection();
        assertEquals(List.of(200, 200), statuses());
        revokeSilently();
        RedisFault.RESTARTED.begin(redis);
        awaitShared();
        assertEquals(List.of(401, 401), statuses());
    }

    @Test
    void liftedBan_whileRedisHangs_takesEffectOnceItIsBackAndIsNotLiftedAgain()
            throws IOException, InterruptedException {
        TestKey banned = first.issue(FIVE_A_MINUTE);
        ban(first, banned);
        assertEquals("key_banned", code(second, banned));
        redis.hang();
        int status = liftBan(banned);
        redis.goOn();
        awaitShared();
        assertEquals(204, status);
        Awaitility.await()
                .atMost(Duration.ofSeconds(5))
                .until(() ->
                        !first.operate("GET", Operator.path(banned), "").body().contains("\"ban\""));
        assertEquals("rate_limit_exceeded", code(first, banned));
        assertEquals("rate_limit_exceeded", code(second, banned));
        database.awaitNoUnraisedVersion();
        assertBannedAgain(second, banned);
    }

    @Test
    void liftedBan_whileRedisIsGone_takesEffectOnAllReplicasThatBanLocally() throws IOException, InterruptedException {
        TestKey banned = first.issue(FIVE_A_MINUTE);
        redis.kill();
        try {
            await("degraded");
            ban(first, banned);
            ban(second, banned);
            assertEquals(204, liftBan(banned));
            assertEquals("rate_limit_exceeded", code(first, banned));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(5))
                    .until(() -> code(second, banned).equals("rate_limit_exceeded"));
            assertBannedAgain(second, banned);
        } finally {
            redis.start();
            redis.awaitResponse();
        }
        awaitShared();
        database.awaitNoUnraisedVersion();
    }

    /** Sends requests until the key is banned. */
    private static void ban(Replica replica, TestKey sender) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(1))
                .until(() -> code(replica, sender).equals("key_banned"));
    }

    /** Checks that the record of a lifted ban does not lift a later ban. */
    private static void assertBannedAgain(Replica replica, TestKey sender) {
        ban(replica, sender);
        Awaitility.await()
                .during(Duration.ofSeconds(3))
                .until(() -> code(replica, sender).equals("key_banned"));
    }

    private static int liftBan(TestKey banned) throws IOException, InterruptedException {
        return first.operate("DELETE", Operator.path(banned) + "/ban", "").statusCode();
    }

    /** The code of the error in the response. */
    private static String code(Replica replica, TestKey sender) {
        return JsonPath.from(replica.get("/v1/nothing", sender).join().body()).getString("code");
    }

    private int revoke() throws IOException, InterruptedException {
        return first.operate("DELETE", Operator.path(key), "").statusCode();
    }

    /** Revokes the key in the database, without an announcement. */
    private void revokeSilently() throws SQLException {
        database.execute("update api_key set revoked_at = now(), version = 2 where id = " + key.id());
    }

    private List<Integer> statuses() {
        return List.of(status(first), status(second));
    }

    private int status(Replica replica) {
        return replica.get("/v1/pets?limit=1", key).join().statusCode();
    }

    /** Waits until Redis has been shared for more than a second, since of two reconnections within a second the latter counts at its end. */
    private static void awaitNoReconnection() {
        Awaitility.await().during(Duration.ofMillis(1100)).untilAsserted(UnraisedVersionIT::awaitShared);
    }

    private static void awaitShared() {
        await("shared");
    }

    private static void await(String state) {
        for (Replica replica : List.of(first, second)) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> replica.body("/q/health/ready").contains("\"redis\": \"" + state));
        }
    }
}
