package dev.animalstore.replicas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
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
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Pipeline;

/** The collection of 100,000 keys that were used today, beside requests, and lists of many keys. */
@Tag("long")
class UsageScaleIT {
    private static final int KEYS = 100_000;
    /** The next sweep begins a minute after this one. */
    private static final Duration LONGEST_COLLECTION = Duration.ofMinutes(1);

    private static String database;
    private static RedisProcess redis;
    private static Replica replica;

    /** The database is their own, since other replicas, which know nothing of this Redis, could collect in place of this one. */
    @BeforeAll
    static void start() throws IOException {
        database = TestDatabase.recreate("usage_scale_it");
        redis = new RedisProcess(Path.of("target", "test-servers", "usage-redis-scale"));
        replica =
                Replica.start(Map.of("quarkus.datasource.jdbc.url", database, "quarkus.redis.hosts", redis.address()));
    }

    @AfterAll
    static void stop() throws IOException {
        replica.close();
        redis.close();
    }

    @Test
    void collection_of100000Keys_endsBeforeTheNextBesideRequests() throws Exception {
        query("update usage_sweep set started_at = 'infinity'");
        fill(addKeys(KEYS));
        Load load = Load.lists(List.of(replica), replica.issue(Operator.UNLIMITED));
        load.continueFor(Duration.ofSeconds(5));

        query("update usage_sweep set started_at = '-infinity'");
        Awaitility.await().until(() -> collected() > 0);
        Awaitility.await().atMost(LONGEST_COLLECTION).until(() -> collected() == KEYS);
        Attempts meanwhile = load.stop();
        assertEquals(0, meanwhile.others(), meanwhile::toString);
    }

    @Test
    void page_of600000KeysOfWhich3000WereUsed_isServed() throws Exception {
        addKeys(600_000);
        query("insert into usage_day (key_id, day, admitted, refused, banned)"
                + " select id, date '2997-05-01' + n, 1, 0, 0 from api_key, generate_series(0, 29) n"
                + " where owner = 'scale' and id % 200 = 0");
        query("analyze api_key; analyze usage_day");

        // Three days without usage, and two months with it.
        for (String days : List.of("from=2997-04-01&to=2997-04-03", "from=2997-04-01&to=2997-05-30")) {
            int rows = days.endsWith("05-30") ? 100 : 0;
            long page = fastestNanos(() -> {
                HttpResponse<String> response = replica.operate("GET", "/admin/usage?limit=100&" + days, "");
                assertEquals(200, response.statusCode(), response.body());
                assertEquals(rows, JsonPath.from(response.body()).getList("$").size());
                return response;
            });
            long scan = fastestNanos(() -> query("select count(*) from api_key where owner <> ''"));
            assertTrue(page < scan, () -> page + " ns, and a scan of all keys " + scan + " ns");
        }
    }

    /** The time of the fastest of five runs, by which two actions can be compared on a busy machine. */
    private static long fastestNanos(Callable<?> action) throws Exception {
        long fastest = Long.MAX_VALUE;
        for (int n = 0; n < 5; n++) {
            long begin = System.nanoTime();
            action.call();
            fastest = Math.min(fastest, System.nanoTime() - begin);
        }
        return fastest;
    }

    private static List<Long> addKeys(int count) throws SQLException {
        return query("insert into api_key (owner, plan) select 'scale', 'free' from generate_series(1, " + count
                + ") returning id");
    }

    /** Writes the keys' hashes as the script does. */
    private static void fill(List<Long> keys) {
        long midnight = LocalDate.now(ZoneOffset.UTC)
                .plusDays(1)
                .atStartOfDay()
                .toInstant(ZoneOffset.UTC)
                .toEpochMilli();
        try (var server = redis.connect();
                Pipeline pipeline = server.pipelined()) {
            for (long key : keys) {
                pipeline.hset(
                        "animalstore:test:{" + key + "}",
                        Map.of("v", "1", "dc", "57", "de", Long.toString(midnight), "dr", "3"));
            }
        }
    }

    private static long collected() throws SQLException {
        return query("select count(*) from usage_day where day < '2997-01-01' and refused > 0")
                .get(0);
    }

    /** The numbers in the first column of the result, if there is one. */
    private static List<Long> query(String sql) throws SQLException {
        return TestDatabase.column(DriverManager.getConnection(database, LocalPostgres.USER, ""), sql).stream()
                .map(Long::valueOf)
                .toList();
    }
}
