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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

/** One of two replicas under load while Redis fails in each way. Writes a table of docs/faults.md. */
@Tag("timed")
@Tag("long")
class RedisOutageIT {
    private static final FigureTable TABLE = new FigureTable(
            "faults.md",
            "fault | requests | 200 | 429 | 5xx | median ms | p99 ms | slowest ms | admitted over the limit | shared again after ms");
    /** How long a replica may do without Redis after its return: the time between two probes, each of which may time out. */
    private static final Duration LONGEST_RETURN = Duration.ofSeconds(3);

    private static final int REPLICAS = 2;
    private static final int PER_MINUTE = 600;
    private static final int FAULT_MILLIS = 2000;

    /** What the promise allows for a decision while Redis fails, of which its timeout is the greater part. */
    private static final int PROMISED_MILLIS = 50;

    private static final String FROM_MEMORY = "animalstore_catalogue_pages_total{source=\"memory\"}";
    private static final String THREADS = "jvm_threads_live_threads";
    private static final String DECISIONS = "animalstore_quota_decision_seconds_count";

    /** Decisions that have not waited for Redis's timeout. */
    private static final String QUICK_DECISIONS = "animalstore_quota_decision_seconds_bucket{le=\"0.02\"}";

    private static final int WORKER_THREADS = 20;

    @AutoClose
    private static RedisProcess redis;

    @AutoClose("kill")
    private static Replica replica;

    private static double healthyMedianMillis;

    @BeforeAll
    static void start() throws IOException {
        redis = new RedisProcess("faulty-redis");
        replica = Replica.startWithTimeouts(
                Map.of("quarkus.redis.hosts", redis.address(), "animalstore.replicas", Integer.toString(REPLICAS)));
        // A JVM that has just started is slower than the timeout of Redis.
        Load load = Load.lists(List.of(replica), TestKey.unlimited());
        load.continueFor(Duration.ofSeconds(3));
        RedisFault.KILLED.begin(redis);
        load.continueFor(Duration.ofSeconds(3));
        RedisFault.KILLED.end(redis);
        load.stop();
        healthyMedianMillis = Load.lists(List.of(replica), TestKey.unlimited())
                .stopAfter(Duration.ofSeconds(2))
                .medianMillis();
    }

    @ParameterizedTest
    @EnumSource
    void requests_whileRedisFails_areMeteredLocallyWithoutDelayOrLeaks(RedisFault fault) throws Exception {
        TestKey key = TestKey.of(PER_MINUTE, 1_000_000);
        double threads = replica.metric(THREADS);
        double decisions = replica.metric(DECISIONS);
        double quickDecisions = replica.metric(QUICK_DECISIONS);
        long connections = connections();
        Load load = Load.lists(List.of(replica), key);
        Load undecided = Load.unauthenticated(replica);
        fault.begin(redis);
        for (int i = 0; i < 4; i++) {
            fault.during(redis);
            load.continueFor(Duration.ofMillis(FAULT_MILLIS / 4));
        }
        fault.end(redis);
        long healed = System.nanoTime();
        Awaitility.await()
                .atMost(LONGEST_RETURN.plus(Replica.ROOM))
                .pollInterval(Duration.ofMillis(20))
                .until(replica::isShared);
        long sharedAgain = Duration.ofNanos(System.nanoTime() - healed).toMillis();
        Attempts result = load.stop();
        Attempts busy = undecided.stop();
        decisions = replica.metric(DECISIONS) - decisions;
        quickDecisions = replica.metric(QUICK_DECISIONS) - quickDecisions;

        TABLE.add(
                FigureTable.words(fault),
                result.requests(),
                result.admitted(),
                result.count(429),
                result.others(),
                result.medianMillis(),
                result.p99Millis(),
                result.slowestMillis(),
                Math.max(0, result.admitted() - PER_MINUTE),
                sharedAgain);
        Awaitility.await().until(RedisOutageIT::isListedFromMemory);
        assertEquals(0, result.others(), result::toString);
        assertEquals(0, result.count(Attempt::hasWrongHeaders), "responses with wrong headers");
        assertTrue(result.admitted() > 0, "nobody is locked out");
        assertTrue(
                result.admitted() <= PER_MINUTE + PER_MINUTE / REPLICAS + forgotten(fault),
                "admitted " + result.admitted());
        String times = result + ", healthy median " + healthyMedianMillis + " ms, without a decision " + busy + ", "
                + quickDecisions + " of " + decisions + " decisions were quick";
        assertTrue(quickDecisions >= decisions / 2, "the breaker spares most requests the timeout: " + times);
        assertTrue(result.p99Millis() <= healthyMedianMillis + PROMISED_MILLIS + 3 * busy.p99Millis(), times);
        assertTrue(
                result.slowestMillis() <= PROMISED_MILLIS + FAULT_MILLIS / 2 + 3 * busy.slowestMillis(),
                "no request waits for the end of the fault: " + times);
        Awaitility.await().until(() -> connections() <= connections);
        if (fault == RedisFault.CONNECTIONS_LOST) {
            double after = replica.metric(THREADS);
            assertTrue(after <= threads + WORKER_THREADS, "threads " + threads + " before, " + after + " after");
        }
    }

    /** So the version of the catalogue is read again. */
    private static boolean isListedFromMemory() throws Exception {
        TestKey key = TestKey.unlimited();
        double before = replica.metric(FROM_MEMORY);
        assertEquals(List.of(200, 200), List.of(replica.status(key), replica.status(key)));
        return replica.metric(FROM_MEMORY) > before;
    }

    private static long connections() {
        return redis.ask(Jedis::clientList).lines().count();
    }

    /** The number of requests that are admitted again if Redis has lost its data. */
    private static int forgotten(RedisFault fault) {
        return switch (fault) {
            case KILLED, FLUSHED, RESTARTED, LOADING -> PER_MINUTE;
            default -> 0;
        };
    }
}
