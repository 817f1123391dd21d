package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.FigureTable;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Attempts.Attempt;
import dev.animalstore.load.Load;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

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
    /** Refused without a decision of Redis, in a time that shows how busy the machine is. */
    private static final TestKey MALFORMED = new TestKey(0, "malformed");

    private static final String FROM_MEMORY = "animalstore_catalogue_pages_total{source=\"memory\"}";
    private static final String THREADS = "jvm_threads_live_threads";

    private static RedisProcess redis;
    private static Replica replica;

    @BeforeAll
    static void start() throws IOException {
        redis = new RedisProcess(Path.of("target", "test-servers", "faulty-redis"));
        replica = Replica.start(
                Map.of("quarkus.redis.hosts", redis.address(), "animalstore.replicas", Integer.toString(REPLICAS)));
        // A JVM that has just started is slower than the timeout of Redis.
        Load load = Load.lists(List.of(replica), TestKey.unlimited());
        load.continueFor(Duration.ofSeconds(3));
        RedisFault.KILLED.begin(redis);
        load.continueFor(Duration.ofSeconds(3));
        RedisFault.KILLED.end(redis);
        load.stop();
    }

    @AfterAll
    static void stop() throws IOException {
        replica.close();
        redis.close();
    }

    @ParameterizedTest
    @EnumSource
    void requests_whileRedisFails_areMeteredLocallyWithoutDelayOrLeaks(RedisFault fault) throws Exception {
        TestKey key = TestKey.of(PER_MINUTE, 1_000_000);
        double healthyMedian = Load.lists(List.of(replica), TestKey.unlimited())
                .stopAfter(Duration.ofSeconds(1))
                .medianMillis();

        double threads = replica.metric(THREADS);
        long connections = connections();
        Load load = Load.lists(List.of(replica), key);
        Load undecided = Load.lists(2, Duration.ofMillis(5), client -> replica, List.of(MALFORMED));
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
        double busyMillis = undecided.stop().p99Millis();

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
        Awaitility.await().atMost(Duration.ofSeconds(3)).until(RedisOutageIT::isListedFromMemory);
        assertEquals(0, result.others(), result::toString);
        assertEquals(0, result.count(Attempt::hasWrongHeaders), "responses with wrong headers");
        assertTrue(result.admitted() > 0, "nobody is locked out");
        assertTrue(
                result.admitted() <= PER_MINUTE + PER_MINUTE / REPLICAS + forgotten(fault),
                "admitted " + result.admitted());
        assertTrue(
                result.p99Millis() <= healthyMedian + 50 + busyMillis,
                () -> result + ", healthy median " + healthyMedian + " ms, p99 without a decision " + busyMillis);
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> connections() <= connections);
        if (fault == RedisFault.CONNECTIONS_LOST) {
            double after = replica.metric(THREADS);
            assertTrue(after <= threads + 2, "threads " + threads + " before, " + after + " after");
        }
    }

    /** So the version of the catalogue is read again. */
    private static boolean isListedFromMemory() throws Exception {
        TestKey key = TestKey.unlimited();
        double before = replica.metric(FROM_MEMORY);
        assertEquals(200, replica.get("/v1/pets?limit=1", key).join().statusCode());
        assertEquals(200, replica.get("/v1/pets?limit=1", key).join().statusCode());
        return replica.metric(FROM_MEMORY) > before;
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
}
