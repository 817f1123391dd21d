package dev.animalstore.replicas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.FigureTable;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Load;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Pipeline;

/** How long the collection takes for 100,000 keys that were used today, and how much it delays requests. */
@Tag("long")
class UsageScaleIT {
    private static final FigureTable TABLE = new FigureTable(
            "usage-scale.md", "keys", "collected in ms", "p99 ms before", "p99 ms meanwhile", "median ms meanwhile");

    private static final int KEYS = 100_000;
    private static final Duration SAMPLE = Duration.ofSeconds(5);

    private RedisProcess redis;

    @BeforeEach
    void start() throws IOException {
        redis = new RedisProcess(Path.of("target", "test-servers", "usage-redis-scale"));
    }

    @AfterEach
    void stop() throws IOException {
        redis.close();
        TestDatabase.execute("delete from usage_day where key_id in (select id from api_key where owner = 'scale')");
        TestDatabase.execute("delete from api_key where owner = 'scale'");
    }

    @Test
    void collection_of100000Keys_takesSecondsAndHardlyDelaysRequests() throws Exception {
        try (Replica replica =
                Replica.start(Map.of("quarkus.redis.hosts", redis.address(), "animalstore.redis.timeout", "500ms"))) {
            List<Long> keys = TestDatabase.query("insert into api_key (owner, plan) select 'scale', 'free'"
                    + " from generate_series(1, " + KEYS + ") returning id");
            fill(keys);
            new Load(replica, TestKey.unlimited()).run(SAMPLE);
            Attempts before = new Load(replica, TestKey.unlimited()).run(SAMPLE);
            // A replica that falls silent makes another one collect all keys at once.
            TestDatabase.execute(
                    "insert into usage_collector (replica, seen_at) values (gen_random_uuid(), now() - interval '1 minute')");

            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> collected() > 0);
            Instant begin = Instant.now();
            Load during = new Load(replica, TestKey.unlimited()).start();
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> collected() == KEYS);
            long millis = Duration.between(begin, Instant.now()).toMillis();
            Attempts result = during.stop();

            TABLE.add(KEYS, millis, before.p99Millis(), result.p99Millis(), result.medianMillis());
            assertEquals(0, result.others());
            assertTrue(millis < 20_000, "took " + millis + " ms");
        }
    }

    /** Writes the keys' hashes as the script does. */
    private void fill(List<Long> keys) {
        long midnight = LocalDate.now(ZoneOffset.UTC)
                .plusDays(1)
                .atStartOfDay()
                .toInstant(ZoneOffset.UTC)
                .toEpochMilli();
        try (var server = redis.connect();
                Pipeline pipeline = server.pipelined()) {
            for (long key : keys) {
                pipeline.hset(
                        "animalstore:{" + key + "}",
                        Map.of("v", "1", "dc", "57", "de", Long.toString(midnight), "dr", "3", "di", "1"));
            }
        }
    }

    private static long collected() {
        return TestDatabase.query("select count(*) from usage_day join api_key on id = key_id where owner = 'scale'")
                .get(0);
    }
}
