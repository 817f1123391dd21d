package dev.animalstore.replicas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Load;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two replicas under load, with faults of replicas and Redis: each response that clients got is in the usage. */
@Tag("long")
class UsageIT {
    private static final Duration COLLECTED = Duration.ofMinutes(2);

    /** The time in which a replica collects at least twice. */
    private static final Duration TWO_COLLECTIONS = Duration.ofSeconds(21);

    /** Of each hang: what eight clients have in flight when Redis hangs, and what they send until the fifth failure opens a breaker. */
    private static final int COUNTED_TWICE = 16;

    private static final List<Integer> HANGS_MILLIS = List.of(30, 100, 600, 4000);

    private static String database;

    private final List<Replica> replicas = new ArrayList<>();
    private RedisProcess redis;

    /** Otherwise other replicas, which know nothing of this Redis, could collect in place of these. */
    @BeforeAll
    static void createDatabase() {
        database = TestDatabase.recreate("usage_it");
    }

    @BeforeEach
    void startRedis() throws IOException {
        redis = new RedisProcess(Path.of("target", "test-servers", "usage-redis"));
    }

    @AfterEach
    void stop() throws IOException {
        replicas.forEach(Replica::close);
        redis.close();
    }

    @Test
    void usage_ofAReplicaThatIsKilledUnderLoad_isThatOfTheResponses() throws Exception {
        // Local decisions since the last collection end with a replica, so there must be none.
        start(2, "500ms");
        TestKey key = issue(2_000);

        Load load = Load.lists(replicas, key);
        load.awaitMore(500);
        replicas.get(0).kill();
        load.awaitMore(100);
        replicas.get(1).kill();
        Attempts sent = load.stop();
        replicas.clear();
        start(1, "40ms");

        // Requests without a response may have been counted: at most one per client and replica.
        awaitUsage(sent, sent.count(0), key);
    }

    @Test
    void usage_whileRedisHangsAndComesBack_countsNoRequestMoreThanTwice() throws Exception {
        start(2, "40ms");
        TestKey key = issue(300);

        Load load = Load.lists(replicas, key);
        load.awaitMore(500);
        for (int millis : HANGS_MILLIS) {
            redis.hang();
            load.continueFor(Duration.ofMillis(millis));
            redis.goOn();
            load.awaitMore(300);
        }
        awaitUsage(load.stop(), (long) HANGS_MILLIS.size() * COUNTED_TWICE, key);
    }

    @Test
    void usage_afterAChangeOfPlanARotationAndABan_staysWithTheKey() throws Exception {
        start(2, "40ms");
        TestKey key = replicas.get(0).issue("{\"owner\":\"test\",\"plan\":\"free\"}");

        Load load = Load.lists(replicas, key);
        Awaitility.await().until(() -> load.attempts().count("key_banned") > 20);
        Attempts before = load.stop();
        HttpResponse<String> lifted = replicas.get(0).operate("DELETE", Operator.path(key) + "/ban", "");
        assertEquals(204, lifted.statusCode());
        replicas.get(0).operate("PATCH", Operator.path(key), "{\"plan\":\"business\"}");
        HttpResponse<String> rotated =
                replicas.get(1).operate("POST", Operator.path(key) + "/rotation", "{\"graceSeconds\":0}");
        String text = JsonPath.from(rotated.body()).getString("key");
        Load afterwards = Load.lists(replicas, new TestKey(key.id(), text));
        afterwards.awaitMore(100);
        Attempts sent = before.and(afterwards.stop());
        replicas.remove(0).close();

        awaitUsage(sent, 0, key);
        assertTrue(usage("banned", key) > 20);
    }

    private void start(int count, String timeout) throws IOException {
        for (int i = 0; i < count; i++) {
            replicas.add(Replica.start(Map.of(
                    "quarkus.datasource.jdbc.url",
                    database,
                    "quarkus.redis.hosts",
                    redis.address(),
                    "animalstore.replicas",
                    "2",
                    "animalstore.redis.timeout",
                    timeout,
                    "animalstore.admin.token",
                    Operator.TOKEN)));
        }
    }

    private TestKey issue(int perMinute) throws IOException, InterruptedException {
        return replicas.get(0).issue("""
                {"owner":"test","plan":"enterprise","limits":{"perMinute":%d,"perDay":1000000}}""".formatted(perMinute));
    }

    private void awaitUsage(Attempts sent, long uncertain, TestKey key) {
        Awaitility.await()
                .during(TWO_COLLECTIONS)
                .atMost(COLLECTED)
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> {
                    assertWithin("admitted", sent.admitted(), uncertain, key);
                    assertWithin("refused", sent.count("rate_limit_exceeded"), uncertain, key);
                    assertWithin("banned", sent.count("key_banned"), uncertain, key);
                });
        assertEquals(0, sent.count(500) + sent.count(503));
    }

    private void assertWithin(String member, long responses, long uncertain, TestKey key) throws Exception {
        long counted = usage(member, key);
        assertTrue(
                counted >= responses && counted <= responses + uncertain,
                member + ": " + responses + " responses, " + counted + " counted");
    }

    /** The sum over all days of a member of the key's usage. */
    private long usage(String member, TestKey key) throws Exception {
        HttpResponse<String> response = replicas.get(0).operate("GET", Operator.path(key) + "/usage", "");
        assertEquals(200, response.statusCode(), response.body());
        return JsonPath.from(response.body()).getList(member, Long.class).stream()
                .mapToLong(count -> count)
                .sum();
    }
}
