package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.key.BearerKey;
import dev.animalstore.key.KeyEnvironment;
import dev.animalstore.process.PostgresProcess;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A replica without PostgreSQL and Redis, and after their return. */
@Tag("long")
class WholeOutageIT {
    private static final Path SERVERS = Path.of("target", "test-servers");

    private static final Duration CACHE_TIME = Duration.ofSeconds(10);

    private static RedisProcess redis;
    private static PostgresProcess postgres;
    private static Replica replica;

    @BeforeAll
    static void start() throws IOException {
        redis = new RedisProcess(SERVERS.resolve("redis-of-outage"));
        postgres = new PostgresProcess(SERVERS.resolve("postgres-of-outage"));
        replica = Replica.start(Map.of(
                "quarkus.datasource.jdbc.url",
                "jdbc:postgresql://" + postgres.address() + "/postgres",
                "quarkus.redis.hosts",
                redis.address(),
                "animalstore.admin.token",
                Operator.TOKEN,
                "animalstore.keys.cache-time",
                CACHE_TIME.toSeconds() + "s"));
    }

    @AfterAll
    static void stop() throws IOException {
        replica.close();
        postgres.close();
        redis.close();
    }

    @Test
    void servers_bothGoneThenBack_admitNobodyAndAreUsedAgain() throws Exception {
        TestKey known = replica.issue(Operator.UNLIMITED);
        TestKey unknown = new TestKey(
                0, BearerKey.generate(KeyEnvironment.TEST, new SecureRandom()).reveal());
        assertEquals(200, status(known));

        postgres.kill();
        redis.kill();
        for (TestKey key : new TestKey[] {known, unknown}) {
            assertUnavailable(replica.get("/v1/pets", key).join());
        }
        assertEquals(
                401, replica.get("/v1/pets", "Authorization", "Bearer x").join().statusCode());
        assertEquals(401, replica.status("/v1/pets"));
        assertEquals(200, replica.status("/q/health/live"));
        Awaitility.await()
                .atMost(Duration.ofSeconds(5))
                .until(() ->
                        status(known) == 503 && replica.body("/q/health/ready").contains("degraded"));

        redis.start();
        postgres.start();
        Awaitility.await()
                .atMost(Duration.ofSeconds(5))
                .until(() -> status(known) == 200
                        && status(unknown) == 401
                        && replica.body("/q/health/ready").contains("shared"));
        assertFalse(replica.log().text().contains("Defect"));
    }

    /** The cached key is in doubt after the restart, since it may be older than a version that Redis has lost. */
    @Test
    void redis_restartedWhilePostgresIsGone_leavesKnownKeysValidForTheirCacheTime() throws Exception {
        TestKey key = replica.issue(Operator.UNLIMITED);
        assertEquals(404, statusWithoutDatabase(key));
        long known = System.nanoTime();
        postgres.kill();
        try {
            RedisFault.RESTARTED.begin(redis);
            awaitShared();
            for (int i = 0; i < 10; i++) {
                assertEquals(404, statusWithoutDatabase(key));
            }
            Awaitility.await()
                    .atMost(CACHE_TIME.plusSeconds(2).minusNanos(System.nanoTime() - known))
                    .until(() -> statusWithoutDatabase(key) == 503);
        } finally {
            postgres.start();
        }
        awaitDatabase();
    }

    /** The record of the version is in PostgreSQL, which is unavailable, so the replica must keep it in memory. */
    @Test
    void revocation_whileRedisIsGone_takesEffectOnceRedisIsBackEvenIfPostgresIsNot() throws Exception {
        TestKey key = replica.issue(Operator.UNLIMITED);
        redis.kill();
        try {
            assertEquals(404, statusWithoutDatabase(key));
            assertEquals(204, replica.operate("DELETE", Operator.path(key), "").statusCode());
            postgres.kill();
            redis.start();
            Awaitility.await().atMost(CACHE_TIME.dividedBy(2)).until(() -> statusWithoutDatabase(key) == 503);
        } finally {
            postgres.start();
        }
        awaitDatabase();
        assertEquals(401, statusWithoutDatabase(key));
    }

    @Test
    void copy_fromBeforeARestartOfRedisWhilePostgresIsGone_isNotUsedOncePostgresIsBack() throws Exception {
        TestKey key = replica.issue(Operator.UNLIMITED);
        assertEquals(404, statusWithoutDatabase(key));
        postgres.execute("update api_key set revoked_at = now(), version = version + 1 where id = " + key.id());
        postgres.kill();
        try {
            RedisFault.RESTARTED.begin(redis);
            awaitShared();
            assertEquals(404, statusWithoutDatabase(key));
        } finally {
            postgres.start();
        }
        // The pool replaces connections that ended with the server within a second.
        Awaitility.await().atMost(Duration.ofSeconds(3)).until(() -> statusWithoutDatabase(key) == 401);
    }

    /** The status of a path that does not exist, which needs no data but the key. */
    private static int statusWithoutDatabase(TestKey key) {
        return replica.get("/v1/nothing", key).join().statusCode();
    }

    private static void awaitShared() {
        Awaitility.await()
                .atMost(Duration.ofSeconds(5))
                .until(() -> replica.body("/q/health/ready").contains("shared"));
    }

    private static void awaitDatabase() throws Exception {
        Awaitility.await()
                .atMost(Duration.ofSeconds(5))
                .until(() -> replica.operate("GET", "/admin/keys", "").statusCode() == 200);
    }

    private static void assertUnavailable(HttpResponse<String> response) {
        assertEquals(503, response.statusCode(), response.body());
        assertTrue(response.body().startsWith("{\"code\":\"service_unavailable\","), response.body());
        assertEquals("2", response.headers().firstValue("Retry-After").orElse(""));
        assertTrue(response.headers().firstValueAsLong("X-RateLimit-Remaining").isPresent());
    }

    private static int status(TestKey key) {
        return replica.get("/v1/pets", key).join().statusCode();
    }
}
