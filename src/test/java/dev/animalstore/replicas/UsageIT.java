package dev.animalstore.replicas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.FigureTable;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two replicas under load, what happens to them and their Redis, and whether each response that clients got is in the usage. */
class UsageIT {
    private static final FigureTable TABLE = new FigureTable(
            "usage.md", "what happened", "200", "429 refused", "429 banned", "without response", "usage is more by");

    private static final int CLIENTS = 8;
    private static final Duration COLLECTED = Duration.ofMinutes(2);

    private final List<Replica> replicas = new ArrayList<>();
    private RedisProcess redis;

    @AfterEach
    void stop() throws IOException {
        replicas.forEach(Replica::close);
        redis.close();
    }

    /** A day ago for a key is the same as a clock that was moved on, since {@code quota.lua} only compares times with it. */
    @Test
    void usage_ofADayThatTurnsUnderLoadOfTwoReplicas_isOfBothDays() throws Exception {
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

        Clients sent = new Clients(key);
        sent.awaitMore(300);
        sent.stop();

        Awaitility.await()
                .atMost(COLLECTED)
                .untilAsserted(() -> assertEquals(
                        List.of(
                                Map.of("day", today.minusDays(1).toString(), "admitted", 70, "refused", 4, "banned", 9),
                                Map.of(
                                        "day",
                                        today.toString(),
                                        "admitted",
                                        (int) sent.count("200"),
                                        "refused",
                                        0,
                                        "banned",
                                        0)),
                        usage(key)));
    }

    @Test
    void usage_ofAReplicaThatIsKilledUnderLoad_isThatOfTheResponses() throws Exception {
        redis = redis("killed");
        start(2);
        TestKey key = TestKey.of(2_000, 1_000_000);

        Clients sent = new Clients(key);
        sent.awaitMore(500);
        replicas.get(0).kill();
        sent.awaitMore(100);
        replicas.get(1).kill();
        sent.stop();
        replicas.clear();
        start(1);

        // Requests without a response may have been counted: at most one for each client and replica.
        awaitUsage("both replicas killed", sent, sent.lost(), key);
    }

    @Test
    void usage_whileRedisHangsAndComesBack_countsEachRequestOnce() throws Exception {
        redis = redis("hung");
        start(2);
        TestKey key = TestKey.of(300, 1_000_000);

        Clients sent = new Clients(key);
        sent.awaitMore(500);
        for (int millis : List.of(30, 100, 600, seconds() * 1000)) {
            redis.hang();
            Instant end = Instant.now().plusMillis(millis);
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> Instant.now().isAfter(end));
            redis.goOn();
            sent.awaitMore(300);
        }
        sent.stop();

        awaitUsage("Redis hung four times, up to " + seconds() + " s", sent, 0, key);
    }

    @Test
    void usage_whenRedisIsKilledAndRestartsEmpty_losesWhatWasNotCollected() throws Exception {
        redis = redis("restarted");
        start(2);
        TestKey key = TestKey.of(100_000, 1_000_000);

        Clients sent = new Clients(key);
        sent.awaitMore(500);
        sent.stop();
        awaitUsage("before Redis is killed", sent, 0, key);
        sent = new Clients(key, sent);
        sent.awaitMore(200);
        redis.kill();
        sent.awaitMore(300);
        redis.start();
        redis.awaitAnswer();
        sent.awaitMore(300);
        sent.stop();

        long all = sent.count("200");
        Clients last = sent;
        Awaitility.await().atMost(COLLECTED).until(() -> isStable(key));
        long lost = all - sum(key, "admitted");
        report("Redis killed without a file", last, -lost);
        assertTrue(lost >= 0 && lost <= 12_000, "lost " + lost);
    }

    @Test
    void usage_afterAChangeOfPlanARotationAndABan_staysWithTheKey() throws Exception {
        redis = redis("changed");
        start(2);
        TestKey key = TestKey.of("free");

        Clients sent = new Clients(key);
        Awaitility.await().until(() -> sent.count("key_banned") > 20);
        sent.stop();
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
        Clients more = new Clients(new TestKey(key.id(), rotated), sent);
        more.awaitMore(100);
        more.stop();
        replicas.get(0).close();

        awaitUsage("ban, another plan, rotation, one replica ended", more, 0, key);
        assertTrue(sum(key, "banned") > 20);
    }

    private static int seconds() {
        return Integer.getInteger("usage.hang-seconds", 4);
    }

    private static RedisProcess redis(String name) throws IOException {
        return new RedisProcess(Path.of("target", "test-servers", "usage-redis-" + name));
    }

    private void start(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            replicas.add(Replica.start(Map.of(
                    "quarkus.redis.hosts",
                    redis.address(),
                    "animalstore.replicas",
                    "2",
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

    private void awaitUsage(String what, Clients sent, long uncertain, TestKey key) {
        Awaitility.await().atMost(COLLECTED).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            assertWithin("admitted", sent.count("200"), uncertain, key);
            assertWithin("refused", sent.count("rate_limit_exceeded"), uncertain, key);
            assertWithin("banned", sent.count("key_banned"), uncertain, key);
            assertTrue(isStable(key));
        });
        assertEquals(0, sent.count("500") + sent.count("503"));
        report(what, sent, sum(key, "admitted") - sent.count("200"));
    }

    private static void assertWithin(String member, long responses, long uncertain, TestKey key) {
        long counted = sum(key, member);
        assertTrue(
                counted >= responses && counted <= responses + uncertain,
                member + ": " + responses + " responses, " + counted + " counted");
    }

    /** Whether two collections have passed without a change. */
    private static boolean isStable(TestKey key) {
        List<Long> before =
                TestDatabase.query("select admitted + refused + banned from usage_day where key_id = " + key.id());
        Instant end = Instant.now().plusSeconds(21);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> Instant.now().isAfter(end));
        return before.equals(
                TestDatabase.query("select admitted + refused + banned from usage_day where key_id = " + key.id()));
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

    private static void report(String what, Clients sent, long more) {
        TABLE.add(
                what,
                sent.count("200"),
                sent.count("rate_limit_exceeded"),
                sent.count("key_banned"),
                sent.lost(),
                more);
    }

    /** Clients that send one request after the other to the replicas in turn, and count the responses by their codes. */
    private final class Clients {
        private final Map<String, Long> counts = new ConcurrentHashMap<>();
        private final List<CompletableFuture<Void>> running = new ArrayList<>();
        private volatile boolean stopped;

        Clients(TestKey key) {
            for (int i = 0; i < CLIENTS; i++) {
                Replica replica = replicas.get(i % replicas.size());
                running.add(CompletableFuture.runAsync(() -> send(replica, key), run -> new Thread(run).start()));
            }
        }

        /** Counts on from what others have counted. */
        Clients(TestKey key, Clients before) {
            this(key);
            before.counts.forEach((code, count) -> counts.merge(code, count, Long::sum));
        }

        long count(String code) {
            return counts.getOrDefault(code, 0L);
        }

        long lost() {
            return count("lost");
        }

        void awaitMore(int requests) {
            long goal = total() + requests;
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> total() >= goal);
        }

        void stop() {
            stopped = true;
            running.forEach(CompletableFuture::join);
        }

        private long total() {
            return counts.values().stream().mapToLong(count -> count).sum();
        }

        private void send(Replica replica, TestKey key) {
            while (!stopped) {
                String code;
                try {
                    HttpResponse<String> response =
                            replica.get("/v1/pets?limit=1", key).join();
                    code = response.statusCode() == 429
                            ? JsonPath.from(response.body()).getString("code")
                            : Integer.toString(response.statusCode());
                } catch (RuntimeException killed) {
                    counts.merge("lost", 1L, Long::sum);
                    return;
                }
                counts.merge(code, 1L, Long::sum);
            }
        }
    }
}
