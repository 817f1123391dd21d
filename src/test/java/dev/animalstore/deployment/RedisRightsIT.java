package dev.animalstore.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/** The package on a Redis with the user of {@code users.acl}, who may do only what the service does. */
class RedisRightsIT {
    private static final Path RIGHTS = Path.of("src", "main", "redis", "users.acl");
    private static final Path FOLDER = Path.of("target", "test-servers", "redis-with-users");
    private static final String USER = "animalstore";
    private static final String PASSWORD = "for-this-machine-only";
    private static final String OBSERVER = "observer";
    private static final int FREE_PER_MINUTE = 60;

    private static RedisProcess redis;
    private static Path users;
    private static Replica replica;

    @BeforeAll
    static void start() throws IOException {
        redis = new RedisProcess(FOLDER);
        redis.kill();
        users = FOLDER.resolve("users.acl").toAbsolutePath();
        Files.writeString(users, Files.readString(RIGHTS));
        Files.writeString(users, "user " + OBSERVER + " on nopass ~* &* +@all\n", StandardOpenOption.APPEND);
        startRedis();
        replica = Replica.start(Map.of(
                "quarkus.redis.hosts",
                redis.address().replace("redis://", "redis://" + USER + ":" + PASSWORD + "@"),
                // A busy machine must not be mistaken for a failing Redis.
                "animalstore.redis.timeout",
                "2s",
                "animalstore.admin.token",
                Operator.TOKEN));
    }

    @AfterAll
    static void stop() throws IOException {
        replica.close();
        redis.close();
    }

    @BeforeEach
    void forgetDenials() {
        observe(Jedis::aclLogReset);
    }

    @Test
    void service_withTheseRights_isDeniedNothing() throws Exception {
        TestKey key = replica.issue("{\"owner\":\"test\",\"plan\":\"free\"}");
        List<HttpResponse<String>> responses = Stream.generate(
                        () -> replica.get("/v1/pets?limit=1", key).join())
                .limit(2 * FREE_PER_MINUTE + 1)
                .toList();
        assertEquals(
                FREE_PER_MINUTE,
                responses.stream()
                        .filter(response -> response.statusCode() == 200)
                        .count());
        assertTrue(
                responses.get(2 * FREE_PER_MINUTE).body().contains("key_banned"), "the last one is refused for good");
        String path = "/admin/keys/" + key.id();
        assertTrue(operate("GET", path, "", 200).contains("\"ban\""));
        operate("DELETE", path + "/ban", "", 204);
        operate("PATCH", path, "{\"plan\":\"pro\"}", 200);
        assertEquals(200, status(key));
        operate("POST", path + "/rotation", "{\"graceSeconds\":60}", 201);
        operate("DELETE", path, "", 204);
        assertEquals(401, status(key));
        assertEquals(401, status(TestKey.of("free").update("expires_at = now() - interval '1 hour'")));
        assertNothingIsDenied();
    }

    @Test
    void service_afterARestartOfRedis_sharesQuotasAgainAndIsDeniedNothing() throws Exception {
        TestKey key = TestKey.unlimited();
        assertEquals(200, status(key));
        redis.kill();
        Awaitility.await()
                .until(() ->
                        status(key) == 200 && replica.body("/q/health/ready").contains("degraded"));
        startRedis();
        Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> status(key) == 200 && counted(key) > 0);
        assertNothingIsDenied();
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
                assertTrue(denied.getMessage().matches("NOPERM .*|ERR The user .* can't .*"), denied::toString);
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
        redis.start("--aclfile", users.toString());
        redis.awaitResponse();
    }

    private static void assertNothingIsDenied() {
        observe(jedis -> assertEquals(List.of(), jedis.aclLog()));
    }

    private static void observe(Consumer<Jedis> look) {
        try (Jedis jedis = redis.connect()) {
            jedis.auth(OBSERVER, "");
            look.accept(jedis);
        }
    }

    /** The number of requests that Redis has counted for a key, without those that a replica has counted locally. */
    private static int counted(TestKey key) {
        try (Jedis jedis = redis.connect()) {
            jedis.auth(OBSERVER, "");
            String count = jedis.hget("animalstore:{" + key.id() + "}", "mc");
            return count == null ? 0 : Integer.parseInt(count);
        }
    }

    private static String operate(String method, String path, String body, int status) throws Exception {
        HttpResponse<String> response = replica.operate(method, path, body);
        assertEquals(status, response.statusCode(), response.body());
        return response.body();
    }

    private static int status(TestKey key) {
        return replica.get("/v1/pets?limit=1", key).join().statusCode();
    }
}
