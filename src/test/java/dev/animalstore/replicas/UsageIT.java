package dev.animalstore.replicas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Load;
import dev.animalstore.local.LocalPostgres;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.DriverManager;
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
    private static final String COLLECTIONS = "animalstore_usage_collection_seconds_count";

    /** Half of Redis's timeout: a request that is counted twice has taken longer. */
    private static final double LONG_MILLIS = 20;

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
        replicas.add(Replica.start(properties()));
        replicas.add(Replica.start(properties()));
        TestKey key = issue(2_000);

        Load load = Load.lists(replicas, key);
        load.awaitMore(500);
        replicas.get(0).kill();
        load.awaitMore(100);
        replicas.get(1).kill();
        Attempts sent = load.stop();
        replicas.clear();
        TestDatabase.column(
                DriverManager.getConnection(database, LocalPostgres.USER, ""),
                "update usage_sweep set started_at = '-infinity'");
        replicas.add(Replica.start(properties()));

        // Requests without a response may have been counted: at most one per client and replica.
        awaitUsage(sent, sent.count(0), key);
    }

    @Test
    void usage_whileRedisHangsAndComesBack_countsNoRequestMoreThanTwice() throws Exception {
        replicas.add(Replica.startWithTimeouts(properties()));
        replicas.add(Replica.startWithTimeouts(properties()));
        TestKey key = issue(300);

        Load load = Load.lists(replicas, key);
        load.awaitMore(500);
        for (int millis : HANGS_MILLIS) {
            redis.hang();
            load.continueFor(Duration.ofMillis(millis));
            redis.goOn();
            load.awaitMore(300);
        }
        Attempts sent = load.stop();
        awaitUsage(sent, sent.count(attempt -> attempt.millis() > LONG_MILLIS), key);
    }

    @Test
    void usage_afterAChangeOfPlanARotationAndABan_staysWithTheKey() throws Exception {
        replicas.add(Replica.start(properties()));
        replicas.add(Replica.start(properties()));
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

    private Map<String, String> properties() {
        return Map.of(
                "quarkus.datasource.jdbc.url",
                database,
                "quarkus.redis.hosts",
                redis.address(),
                "animalstore.replicas",
                "2");
    }

    private TestKey issue(int perMinute) throws IOException, InterruptedException {
        return replicas.get(0).issue("""
                {"owner":"test","plan":"enterprise","limits":{"perMinute":%d,"perDay":1000000}}""".formatted(perMinute));
    }

    /** Waits until each replica has collected twice, so that the second collection has begun after the load, and then for the usage. */
    private void awaitUsage(Attempts sent, long uncertain, TestKey key) throws Exception {
        for (Replica replica : replicas) {
            double before = replica.metric(COLLECTIONS);
            Awaitility.await().until(() -> replica.metric(COLLECTIONS) >= before + 2);
        }
        Awaitility.await().untilAsserted(() -> {
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
