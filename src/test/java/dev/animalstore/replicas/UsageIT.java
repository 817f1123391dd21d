package dev.animalstore.replicas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.FigureTable;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RedisState;
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
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two replicas under load, with faults of replicas and Redis: each response that clients got is in the usage. */
@Tag("long")
class UsageIT {
    private static final FigureTable TABLE = new FigureTable(
            "usage.md", "what happened", "200", "429 refused", "429 banned", "without response", "usage is more by");

    private static final Duration COLLECTED = Duration.ofMinutes(2);

    /** The time in which a replica collects at least twice. */
    private static final Duration TWO_COLLECTIONS = Duration.ofSeconds(21);

    private final List<Replica> replicas = new ArrayList<>();
    private RedisProcess redis;

    @AfterEach
    void stop() throws IOException {
        replicas.forEach(Replica::close);
        redis.close();
    }

    /** Moving a key's times a day back equals moving the clock forward, since {@code quota.lua} only compares them. */
    @Test
    void usage_acrossMidnightUnderLoadOfTwoReplicas_isOfBothDays() throws Exception {
        redis = redis("midnight");
        start(2);
        TestKey key = TestKey.of(100_000, 1_000_000);
        LocalDate today = redisDay();
        long midnight = today.atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
        try (var server = redis.connect()) {
            server.hset(
                    RedisState.hash(key),
                    Map.of("v", "1", "dc", "70", "de", Long.toString(midnight), "dr", "4", "db", "9", "di", "100"));
        }

        Load load = new Load(replicas, key).start();
        load.awaitMore(300);
        Attempts sent = load.stop();

        Awaitility.await()
                .atMost(COLLECTED)
                .untilAsserted(() -> assertEquals(
                        List.of(
                                Map.of("day", today.minusDays(1).toString(), "admitted", 70, "refused", 4, "banned", 9),
                                Map.of(
                                        "day",
                                        today.toString(),
                                        "admitted",
                                        (int) sent.admitted(),
                                        "refused",
                                        0,
                                        "banned",
                                        0)),
                        usage(key)));
    }

    @Test
    void usage_ofAReplicaThatIsKilledUnderLoad_isThatOfTheResponses() throws Exception {
        redis = redis("killed");
        // Local decisions since the last collection end with a replica, so there must be none.
        start(2, "500ms");
        TestKey key = TestKey.of(2_000, 1_000_000);

        Load load = new Load(replicas, key).start();
        load.awaitMore(500);
        replicas.get(0).kill();
        load.awaitMore(100);
        replicas.get(1).kill();
        Attempts sent = load.stop();
        replicas.clear();
        start(1);

        // Requests without a response may have been counted: at most one per client and replica.
        awaitUsage("both replicas killed", sent, sent.count(0), key);
    }

    @Test
    void usage_whileRedisHangsAndComesBack_countsEachRequestOnce() throws Exception {
        redis = redis("hung");
        start(2);
        TestKey key = TestKey.of(300, 1_000_000);

        Load load = new Load(replicas, key).start();
        load.awaitMore(500);
        for (int millis : List.of(30, 100, 600, seconds() * 1000)) {
            redis.hang();
            load.continueFor(Duration.ofMillis(millis));
            redis.goOn();
            load.awaitMore(300);
        }
        awaitUsage("Redis hung four times, up to " + seconds() + " s", load.stop(), 0, key);
    }

    @Test
    void usage_whenRedisIsKilledAndRestartsEmpty_losesWhatWasNotCollected() throws Exception {
        redis = redis("restarted");
        start(2);
        TestKey key = TestKey.of(100_000, 1_000_000);

        Load load = new Load(replicas, key).start();
        load.awaitMore(500);
        Attempts before = load.stop();
        awaitUsage("before Redis is killed", before, 0, key);
        load = new Load(replicas, key).start();
        load.awaitMore(200);
        redis.kill();
        load.awaitMore(300);
        redis.start();
        redis.awaitResponse();
        load.awaitMore(300);
        Attempts sent = before.and(load.stop());
        awaitStableUsage(key);
        long lost = sent.admitted() - sum(key, "admitted");
        report("Redis killed without a file", sent, -lost);
        assertTrue(lost >= 0 && lost <= 12_000, "lost " + lost);
    }

    @Test
    void usage_afterAChangeOfPlanARotationAndABan_staysWithTheKey() throws Exception {
        redis = redis("changed");
        start(2);
        TestKey key = TestKey.of("free");

        Load load = new Load(replicas, key).start();
        Awaitility.await().until(() -> load.attempts().count("key_banned") > 20);
        Attempts before = load.stop();
        assertEquals(
                204,
                replicas.get(0)
                        .operate("DELETE", Operator.path(key) + "/ban", "")
                        .statusCode());
        replicas.get(0).operate("PATCH", Operator.path(key), "{\"plan\":\"business\"}");
        String rotated = JsonPath.from(replicas.get(1)
                        .operate("POST", Operator.path(key) + "/rotation", "{\"graceSeconds\":0}")
                        .body())
                .getString("key");
        Load afterwards = new Load(replicas, new TestKey(key.id(), rotated)).start();
        afterwards.awaitMore(100);
        Attempts sent = before.and(afterwards.stop());
        replicas.get(0).close();

        awaitUsage("ban, another plan, rotation, one replica ended", sent, 0, key);
        assertTrue(sum(key, "banned") > 20);
    }

    private static int seconds() {
        return Integer.getInteger("usage.hang-seconds", 4);
    }

    private static RedisProcess redis(String name) throws IOException {
        return new RedisProcess(Path.of("target", "test-servers", "usage-redis-" + name));
    }

    private void start(int count) throws IOException {
        start(count, "40ms");
    }

    private void start(int count, String timeout) throws IOException {
        for (int i = 0; i < count; i++) {
            replicas.add(Replica.start(Map.of(
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

    private LocalDate redisDay() {
        try (var server = redis.connect()) {
            return LocalDate.ofInstant(
                    Instant.ofEpochSecond(Long.parseLong(server.time().get(0))), ZoneOffset.UTC);
        }
    }

    private static void awaitUsage(String what, Attempts sent, long uncertain, TestKey key) {
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
        report(what, sent, sum(key, "admitted") - sent.admitted());
    }

    private static void assertWithin(String member, long responses, long uncertain, TestKey key) {
        long counted = sum(key, member);
        assertTrue(
                counted >= responses && counted <= responses + uncertain,
                member + ": " + responses + " responses, " + counted + " counted");
    }

    /** Waits until two collections have passed without a change. */
    private static void awaitStableUsage(TestKey key) {
        AtomicLong last = new AtomicLong(-1);
        Awaitility.await()
                .during(TWO_COLLECTIONS)
                .atMost(COLLECTED)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    long sum = sum(key, "admitted + refused + banned");
                    return last.getAndSet(sum) == sum;
                });
    }

    private static long sum(TestKey key, String member) {
        return TestDatabase.query("select coalesce(sum(" + member + "), 0) from usage_day where key_id = " + key.id())
                .get(0);
    }

    private List<Map<String, Object>> usage(TestKey key) throws Exception {
        HttpResponse<String> response = replicas.get(0).operate("GET", Operator.path(key) + "/usage", "");
        assertEquals(200, response.statusCode(), response.body());
        return JsonPath.from(response.body()).getList("$");
    }

    private static void report(String what, Attempts sent, long more) {
        TABLE.add(
                what,
                sent.admitted(),
                sent.count("rate_limit_exceeded"),
                sent.count("key_banned"),
                sent.count(0),
                more);
    }
}
