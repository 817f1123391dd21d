package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Changes that cannot be announced, because Redis hangs, is gone, full or loses its data, or because the replica dies: each of two replicas learns
 * of them by looking at PostgreSQL. And bans that cannot be lifted.
 */
@Tag("timed")
@Tag("long")
class KeyChangeOutageIT {
    /** How long an operator waits at most if Redis does not confirm. */
    private static final Duration LONGEST = Duration.ofSeconds(2);

    /** How long another replica may obey an older copy, whatever Redis does. */
    private static final Duration LONGEST_OLD = Duration.ofSeconds(30).plus(Replica.ROOM);

    private static RedisProcess redis;
    private static List<Replica> replicas;

    @BeforeAll
    static void start() throws IOException {
        redis = new RedisProcess("redis-of-revocations");
        Map<String, String> properties = Map.of("quarkus.redis.hosts", redis.address());
        replicas = List.of(Replica.startWithTimeouts(properties), Replica.startWithTimeouts(properties));
    }

    @AfterAll
    static void stop() throws IOException {
        replicas.forEach(Replica::close);
        redis.close();
    }

    /** The silent revocation is not announced, as if Redis had lost the announcement or its replica had died before it. */
    @ParameterizedTest
    @EnumSource(names = {"KILLED", "HUNG", "READ_ONLY", "OUT_OF_MEMORY"})
    void revocation_whileRedisFails_succeedsWithinTwoSecondsAndHoldsWithinThirty(RedisFault fault) throws IOException {
        TestKey key = knownKey();
        TestKey silent = knownKey();
        fault.begin(redis);
        long begun = System.nanoTime();
        int status = delete(Operator.path(key)).statusCode();
        Duration waited = Duration.ofNanos(System.nanoTime() - begun);
        silent.update("revoked_at = now()");
        awaitRefused(key);
        awaitRefused(silent);
        fault.end(redis);

        assertEquals(204, status);
        assertTrue(waited.compareTo(LONGEST.plus(Replica.ROOM)) < 0, "waited for " + waited);
        awaitOfEach(Replica::isShared);
        assertEquals(List.of(401, 401), statuses(key));
        assertEquals(List.of(401, 401), statuses(silent));
    }

    /** Both replicas know it as expired. Redis refuses all writes, but tells them that it knows nothing newer. */
    @Test
    void extension_whileRedisIsFull_holdsWithinThirtySeconds() throws IOException {
        TestKey key = TestKey.unlimited().update("expires_at = now()");
        assertEquals(List.of(401, 401), statuses(key));
        RedisFault.OUT_OF_MEMORY.begin(redis);
        try {
            int status = replicas.get(0)
                    .operate("PATCH", Operator.path(key), "{\"expiresAt\":null}")
                    .statusCode();
            assertEquals(200, status);
            Awaitility.await().atMost(LONGEST_OLD).until(() -> statuses(key).equals(List.of(200, 200)));
        } finally {
            RedisFault.OUT_OF_MEMORY.end(redis);
        }
        awaitOfEach(Replica::isShared);
    }

    /** The look at the return of Redis, not the next of those that are ten seconds apart. */
    @Test
    void revocation_whileRedisFailsBriefly_holdsWithinSecondsOfItsReturn() throws IOException {
        TestKey key = knownKey();
        RedisFault.HUNG.begin(redis);
        assertEquals(204, delete(Operator.path(key)).statusCode());
        awaitOfEach(Replica::isDegraded);
        RedisFault.HUNG.end(redis);
        awaitOfEach(Replica::isShared);
        Awaitility.await()
                .atMost(Duration.ofSeconds(2).plus(Replica.ROOM))
                .until(() -> statuses(key).equals(List.of(401, 401)));
    }

    @Test
    void revocation_whileRedisIsSlow_takesEffectBeforeTheResponse() {
        TestKey key = knownKey();
        RedisFault.SLOW.during(redis);
        assertEquals(204, delete(Operator.path(key)).statusCode());
        assertEquals(List.of(401, 401), statuses(key));
    }

    @ParameterizedTest
    @EnumSource(names = {"RESTARTED", "FLUSHED"})
    void revocation_thatRedisHasLost_holdsWithinThirtySeconds(RedisFault fault) throws IOException {
        TestKey key = knownKey();
        key.update("revoked_at = now()");
        fault.begin(redis);
        awaitRefused(key);
        awaitOfEach(Replica::isShared);
    }

    @Test
    void liftBan_whileRedisHangs_is503AndChangesNothing() throws Exception {
        TestKey key = TestKey.of(5, 1000);
        ban(replicas.get(0), key);
        List<Long> version = TestDatabase.query("select version from api_key where id = " + key.id());
        redis.hang();
        HttpResponse<String> response = liftBan(key);
        awaitOfEach(Replica::isDegraded);
        redis.goOn();
        assertEquals(503, response.statusCode());
        assertTrue(response.headers().firstValue("Retry-After").isPresent());
        assertEquals(version, TestDatabase.query("select version from api_key where id = " + key.id()));
        awaitOfEach(Replica::isShared);
        assertEquals("key_banned", code(replicas.get(1), key));
        assertEquals(204, liftBan(key).statusCode());
        assertEquals("rate_limit_exceeded", code(replicas.get(1), key));
    }

    /** A key that both replicas have admitted. */
    private static TestKey knownKey() {
        TestKey key = TestKey.unlimited();
        assertEquals(List.of(200, 200), statuses(key));
        return key;
    }

    private static void awaitRefused(TestKey key) {
        Awaitility.await().atMost(LONGEST_OLD).until(() -> statuses(key).equals(List.of(401, 401)));
    }

    private static void ban(Replica replica, TestKey key) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(1))
                .until(() -> code(replica, key).equals("key_banned"));
    }

    private static HttpResponse<String> liftBan(TestKey key) {
        return delete(Operator.path(key) + "/ban");
    }

    private static HttpResponse<String> delete(String path) {
        return replicas.get(0).operate("DELETE", path, "");
    }

    private static String code(Replica replica, TestKey key) {
        return JsonPath.from(replica.get("/v1/nothing", key).join().body()).getString("code");
    }

    private static List<Integer> statuses(TestKey key) {
        return replicas.stream().map(replica -> replica.status(key)).toList();
    }

    private static void awaitOfEach(Predicate<Replica> state) {
        Awaitility.await().until(() -> replicas.stream().allMatch(state));
    }
}
