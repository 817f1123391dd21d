package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.FigureTable;
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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;

/** One of two replicas under load while Redis fails in each way. Writes a table of docs/faults.md. */
@Tag("long")
class RedisOutageIT {
    private static final FigureTable TABLE = new FigureTable(
            "faults.md",
            "fault",
            "requests",
            "200",
            "429",
            "5xx",
            "median ms",
            "p99 ms",
            "slowest ms",
            "admitted over the limit",
            "shared again after ms");
    private static final int REPLICAS = 2;
    private static final int PER_MINUTE = 600;
    private static final int FREE_PER_MINUTE = 60;
    private static final String THREADS = "jvm_threads_live_threads";

    private static RedisProcess redis;
    private static Replica replica;

    @BeforeAll
    static void start() throws IOException {
        redis = new RedisProcess(Path.of("target", "test-servers", "faulty-redis"));
        replica = Replica.start(
                Map.of("quarkus.redis.hosts", redis.address(), "animalstore.replicas", Integer.toString(REPLICAS)));
        new Load(replica, TestKey.unlimited()).run(Duration.ofSeconds(5));
    }

    @AfterAll
    static void stop() throws IOException {
        replica.close();
        redis.close();
    }

    @ParameterizedTest
    @EnumSource
    void requests_whileRedisFails_areMeteredLocallyWithoutDelay(RedisFault fault) throws IOException {
        TestKey key = TestKey.of(PER_MINUTE, 1_000_000);
        double healthyMedian = new Load(replica, TestKey.unlimited())
                .run(Duration.ofSeconds(1))
                .medianMillis();

        Load load = new Load(replica, key).start();
        fault.begin(redis);
        for (int i = 0; i < 4; i++) {
            fault.during(redis);
            load.continueFor(Duration.ofMillis(500));
        }
        fault.end(redis);
        long healed = System.nanoTime();
        Awaitility.await()
                .atMost(Duration.ofSeconds(3))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> replica.body("/q/health/ready").contains("\"redis\": \"shared\""));
        long sharedAgain = Duration.ofNanos(System.nanoTime() - healed).toMillis();
        Attempts result = load.stop();

        report(fault, result, sharedAgain);
        assertEquals(0, result.others(), "responses that are neither 200 nor 429");
        assertEquals(0, result.wrongHeaders(), "responses with wrong headers");
        assertTrue(result.admitted() > 0, "nobody is locked out");
        assertTrue(
                result.admitted() <= PER_MINUTE + PER_MINUTE / REPLICAS + forgotten(fault),
                "admitted " + result.admitted());
        assertTrue(
                result.p99Millis() <= healthyMedian + 50,
                "p99 " + result.p99Millis() + " ms, healthy median " + healthyMedian + " ms");
    }

    @Test
    void requests_refusedLocally_areBannedByTheLimitOfThePlan() throws IOException {
        TestKey key = TestKey.of("free");
        redis.kill();
        try {
            Awaitility.await().until(() -> replica.body("/q/health/ready").contains("\"redis\": \"degraded"));
            List<String> codes = Stream.generate(
                            () -> replica.get("/v1/pets?limit=1", key).join())
                    .limit(FREE_PER_MINUTE / REPLICAS + FREE_PER_MINUTE + 1)
                    .map(RedisOutageIT::code)
                    .toList();
            assertEquals(
                    List.of("none", "rate_limit_exceeded", "key_banned"),
                    codes.stream().distinct().toList());
            assertEquals(FREE_PER_MINUTE / REPLICAS, Collections.frequency(codes, "none"));
            assertEquals(FREE_PER_MINUTE, Collections.frequency(codes, "rate_limit_exceeded"));
        } finally {
            redis.start();
            redis.awaitResponse();
        }
    }

    @Test
    void connections_lostAHundredTimes_leakNeitherConnectionsNorThreads() throws Exception {
        TestKey key = TestKey.unlimited();
        loseConnections(5, key);
        double threads = replica.metric(THREADS);
        long connections = connections();
        loseConnections(100, key);
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> connections() <= connections);
        double after = replica.metric(THREADS);
        assertTrue(after <= threads + 2, "threads " + threads + " before, " + after + " after");
    }

    /** The code of the error in a response, or {@code none} if there is no error. */
    private static String code(HttpResponse<String> response) {
        return response.statusCode() == 200
                ? "none"
                : JsonPath.from(response.body()).getString("code");
    }

    private static void loseConnections(int times, TestKey key) {
        for (int i = 0; i < times; i++) {
            try (Jedis server = redis.connect()) {
                server.sendCommand(Protocol.Command.CLIENT, "KILL", "TYPE", "normal", "SKIPME", "yes");
            }
            assertEquals(200, replica.get("/v1/pets?limit=1", key).join().statusCode());
        }
    }

    private static long connections() {
        try (Jedis server = redis.connect()) {
            return server.clientList().lines().count();
        }
    }

    /** The number of requests that are admitted again if Redis has lost its data. */
    private static int forgotten(RedisFault fault) {
        return switch (fault) {
            case KILLED, FLUSHED, RESTARTED, LOADING -> PER_MINUTE;
            default -> 0;
        };
    }

    private static void report(RedisFault fault, Attempts result, long sharedAgain) {
        TABLE.add(
                FigureTable.words(fault),
                result.requests(),
                result.admitted(),
                result.refused(),
                result.others(),
                result.medianMillis(),
                result.p99Millis(),
                result.slowestMillis(),
                Math.max(0, result.admitted() - PER_MINUTE),
                sharedAgain);
    }
}
