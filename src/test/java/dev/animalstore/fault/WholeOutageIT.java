package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.Responses;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.PostgresProcess;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

/** A replica without PostgreSQL, Redis or both, and after their return: which keys are valid, and which lists are served. */
@Tag("timed")
@Tag("long")
class WholeOutageIT {
    private static final Duration CACHE_TIME = Duration.ofSeconds(4);

    /** Longer than the cache time of keys, and that of pages, which is 1 s here. */
    private static final Duration FAULT_TIME = Duration.ofSeconds(6);

    private static final Duration LONGEST = Duration.ofSeconds(2).plus(Replica.ROOM);
    private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(5).plus(Replica.ROOM);
    private static final int PAGES = 10;
    private static final String MEMORY = "animalstore_catalogue_pages_total{source=\"memory\"}";

    @AutoClose
    private static RedisProcess redis;

    @AutoClose
    private static PostgresProcess postgres;

    @AutoClose("kill")
    private static Replica replica;

    @BeforeAll
    static void start() throws IOException {
        redis = new RedisProcess("redis-of-outage");
        postgres = new PostgresProcess("postgres-of-outage");
        replica = Replica.startWithTimeouts(Map.ofEntries(
                Map.entry("quarkus.datasource.jdbc.url", postgres.url()),
                Map.entry("quarkus.redis.hosts", redis.address()),
                Map.entry("animalstore.keys.cache-time", CACHE_TIME.toSeconds() + "s"),
                Map.entry("animalstore.catalogue.cache-time", "1s"),
                // A busy machine must not be mistaken for a failing Redis.
                Map.entry("animalstore.redis.timeout", "500ms")));
    }

    @Test
    void servers_bothGoneThenBack_admitNobodyAndAreUsedAgain() throws Exception {
        TestKey known = replica.issue(Operator.UNLIMITED);
        TestKey unknown = TestKey.unknown();
        assertEquals(200, replica.status("/v1/pets", known));

        postgres.kill();
        redis.kill();
        assertUnavailable(replica.get("/v1/pets", known).join());
        assertUnavailable(replica.get("/v1/pets", unknown).join());
        assertEquals(
                401, replica.get("/v1/pets", "Authorization", "Bearer x").join().statusCode());
        assertEquals(401, replica.status("/v1/pets"));
        assertEquals(200, replica.status("/q/health/live"));
        Awaitility.await().until(() -> replica.status("/v1/pets", known) == 503 && replica.isDegraded());

        redis.start();
        postgres.start();
        Awaitility.await()
                .atMost(LONGEST_RECOVERY)
                .until(() -> replica.status("/v1/pets", known) == 200
                        && replica.status("/v1/pets", unknown) == 401
                        && replica.isShared());
        assertFalse(replica.log().contains("Defect"));
    }

    /** For longer than the catalogue's cache time, and that of keys, which ends only once Redis is gone too. */
    @ParameterizedTest
    @EnumSource(names = {"KILLED", "HUNG"})
    void lists_inMemory_areServedWhileTheDatabaseFailsUntilRedisFailsToo(DatabaseFault fault) throws Exception {
        TestKey key = replica.issue(Operator.UNLIMITED);
        assertEquals(201, replica.post("/v1/pets", key, Replica.PET).join().statusCode());
        long known = System.nanoTime();
        double fromMemory = replica.metric(MEMORY);
        Awaitility.await().until(() -> lists(0, key).size() == PAGES && replica.metric(MEMORY) >= fromMemory + PAGES);
        List<String> before = bodies(lists(0, key));
        fault.begin(postgres);
        try {
            int rounds = 0;
            while (System.nanoTime() - known < FAULT_TIME.toNanos()) {
                lists(PAGES, key).forEach(WholeOutageIT::assertUnavailable);
                assertEquals(before, bodies(lists(0, key)));
                rounds++;
            }
            // Each would take over a second if requests still waited for a connection.
            assertTrue(rounds > FAULT_TIME.toSeconds(), rounds + " rounds");
            assertEquals(404, statusWithoutDatabase(key));
            redis.kill();
            assertEquals(503, statusWithoutDatabase(key));
        } finally {
            redis.start();
            fault.end(postgres);
        }
        awaitShared();
        awaitDatabase();
    }

    /** Redis has lost nothing, so no copy of a key is worse than before; nor is a page, if no probe of the catalogue's version was late. */
    @Test
    void pauses_ofRedisWhilePostgresIsGone_voidNoKeyAndNoPage() throws Exception {
        try (Replica seldomProbing = Replica.startWithTimeouts(Map.ofEntries(
                Map.entry("quarkus.datasource.jdbc.url", postgres.url()),
                Map.entry("quarkus.redis.hosts", redis.address()),
                Map.entry("animalstore.redis.probe-every", "6s"),
                Map.entry("animalstore.redis.failures", "1000")))) {
            TestKey key = seldomProbing.issue(Operator.UNLIMITED);
            Awaitility.await()
                    .until(() -> seldomProbing.status("/v1/pets", key) == 200 && seldomProbing.metric(MEMORY) > 0);
            postgres.kill();
            try {
                for (int i = 0; i < 24; i++) {
                    redis.ask(server -> server.clientPause(80));
                    assertEquals(404, seldomProbing.status("/v1/nothing", key));
                    redis.ask(Jedis::ping);
                    assertEquals(200, seldomProbing.status("/v1/pets", key));
                }
            } finally {
                postgres.start();
            }
        }
        awaitDatabase();
    }

    /** Even if it returns empty: what has changed since the last look is learned as soon as PostgreSQL is back. */
    @Test
    void redis_restartedWhilePostgresIsGone_leavesKnownKeysValid() throws Exception {
        TestKey key = replica.issue(Operator.UNLIMITED);
        assertEquals(404, statusWithoutDatabase(key));
        postgres.kill();
        try {
            RedisFault.RESTARTED.begin(redis);
            awaitShared();
            assertEquals(404, statusWithoutDatabase(key));
        } finally {
            postgres.start();
        }
        postgres.execute("update api_key set revoked_at = now() where id = " + key.id());
        Awaitility.await()
                .atMost(Duration.ofSeconds(30).plus(Replica.ROOM))
                .until(() -> statusWithoutDatabase(key) == 401);
        awaitDatabase();
    }

    /** Pages of ten sizes at once, each of which must be served in time. */
    private static List<HttpResponse<String>> lists(int above, TestKey key) {
        return Responses.atOnce(
                PAGES,
                i -> replica.get("/v1/pets?limit=" + (above + i + 1), key)
                        .orTimeout(LONGEST.toMillis(), TimeUnit.MILLISECONDS));
    }

    private static List<String> bodies(List<HttpResponse<String>> responses) {
        return responses.stream().map(HttpResponse::body).toList();
    }

    /** The status of a path that does not exist, which needs no data but the key. */
    private static int statusWithoutDatabase(TestKey key) {
        return replica.status("/v1/nothing", key);
    }

    private static void awaitShared() {
        Awaitility.await().atMost(LONGEST_RECOVERY).until(replica::isShared);
    }

    private static void awaitDatabase() throws Exception {
        Awaitility.await()
                .atMost(LONGEST_RECOVERY)
                .until(() -> replica.operate("GET", "/admin/keys", "").statusCode() == 200);
    }

    private static void assertUnavailable(HttpResponse<String> response) {
        assertEquals(503, response.statusCode(), response.body());
        assertTrue(response.body().startsWith("{\"code\":\"service_unavailable\","), response.body());
        assertEquals("2", response.headers().firstValue("Retry-After").orElse(""));
        assertTrue(response.headers().firstValueAsLong("X-RateLimit-Remaining").isPresent());
    }
}
