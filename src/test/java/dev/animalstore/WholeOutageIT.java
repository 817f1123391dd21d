package dev.animalstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.key.BearerKey;
import dev.animalstore.key.KeyEnvironment;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A replica whose PostgreSQL and Redis are both gone, and back again. */
class WholeOutageIT {
    private static final Path SERVERS = Path.of("target", "test-servers");

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
                Operator.TOKEN));
    }

    @AfterAll
    static void stop() throws IOException {
        replica.close();
        postgres.close();
        redis.close();
    }

    @Test
    void servers_bothGoneThenBack_letNobodyInAndAreUsedAgain() throws Exception {
        TestKey known = replica.issue(DatabaseOutageIT.UNLIMITED);
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

    private static void assertUnavailable(HttpResponse<String> answer) {
        assertEquals(503, answer.statusCode(), answer.body());
        assertTrue(answer.body().startsWith("{\"code\":\"service_unavailable\","), answer.body());
        assertEquals("2", answer.headers().firstValue("Retry-After").orElse(""));
        assertTrue(answer.headers().firstValueAsLong("X-RateLimit-Remaining").isPresent());
    }

    private static int status(TestKey key) {
        return replica.get("/v1/pets", key).join().statusCode();
    }
}
