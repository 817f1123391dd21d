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
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;

/** Replicas under load, with faults of replicas and Redis, or with many keys: each response that clients got is in the usage. */
@Tag("long")
class UsageIT {
    /** Half of Redis's timeout: a request that is counted twice has taken longer. */
    private static final double LONG_MILLIS = 20;

    private static final List<Integer> HANGS_MILLIS = List.of(30, 100, 600, 4000);
    private static final int MANY = 100_000;

    /** The next sweep begins a minute after the one before. */
    private static final Duration LONGEST_SWEEP = Duration.ofMinutes(1);

    private final List<Replica> replicas = new ArrayList<>();
    private RedisProcess redis;
    private String database;
    private Map<String, String> properties;

    /** With a database of their own, since other replicas, which know nothing of this Redis, could collect in place of these. */
    @BeforeEach
    void startServers() throws IOException {
        redis = new RedisProcess(Path.of("target", "test-servers", "usage-redis"));
        database = TestDatabase.recreate("usage_it");
        properties = Map.ofEntries(
                Map.entry("quarkus.datasource.jdbc.url", database),
                Map.entry("quarkus.redis.hosts", redis.address()),
                Map.entry("animalstore.replicas", "2"));
    }

    @AfterEach
    void stop() throws IOException {
        replicas.forEach(Replica::close);
        redis.close();
    }

    /** Local decisions since the last collection end with a replica, so there are none. */
    @Test
    void usage_ofAReplicaThatIsKilledUnderLoad_isThatOfTheResponses() throws Exception {
        replicas.add(Replica.start(properties));
        replicas.add(Replica.start(properties));
        Load load = load(2_000);
        replicas.get(0).kill();
        load.awaitMore(100);
        replicas.get(1).kill();
        Attempts sent = load.stop();
        query("update usage_sweep set started_at = '-infinity'");
        replicas.add(Replica.start(properties));

        // Requests without a response may have been counted: at most one per client and replica.
        Awaitility.await().untilAsserted(() -> assertUsage(sent, sent.count(0), 0));
    }

    @Test
    void usage_whileRedisHangsAndComesBack_countsNoRequestMoreThanTwice() throws Exception {
        replicas.add(Replica.startWithTimeouts(properties));
        replicas.add(Replica.startWithTimeouts(properties));
        Load load = load(300);
        for (int millis : HANGS_MILLIS) {
            redis.hang();
            load.continueFor(Duration.ofMillis(millis));
            redis.goOn();
            load.awaitMore(300);
        }
        Attempts sent = load.stop();
        long alone = 0;
        for (Replica replica : replicas) {
            Awaitility.await().until(() -> replica.body("/q/health/ready").contains("\"redis\": \"shared\""));
            alone += (long) replica.metric("animalstore_quota_local_decisions_total");
            replica.close();
        }

        assertUsage(sent, sent.count(attempt -> attempt.millis() > LONG_MILLIS), alone);
        assertEquals(0, sent.count(500) + sent.count(503));
    }

    @Test
    void sweep_of100000Keys_endsBeforeTheNextBesideRequests() throws Exception {
        replicas.add(Replica.start(properties));
        query("update usage_sweep set started_at = 'infinity'");
        fill(query(
                "insert into api_key (owner, plan, created_at) select 'many', 'free', 'epoch' from generate_series(1, "
                        + MANY + ") returning id"));
        Load load = Load.lists(replicas, replicas.get(0).issue(Operator.UNLIMITED));

        query("update usage_sweep set started_at = '-infinity'");
        Awaitility.await().until(() -> sum("1") > 0);
        Awaitility.await().atMost(LONGEST_SWEEP).until(() -> sum("case when refused > 0 then 1 end") == MANY);
        Attempts meanwhile = load.stop();
        assertEquals(0, meanwhile.others(), meanwhile::toString);
    }

    /** Writes the keys' hashes as the script does. */
    private void fill(List<Long> keys) {
        long midnight = Instant.now()
                .truncatedTo(ChronoUnit.DAYS)
                .plus(1, ChronoUnit.DAYS)
                .toEpochMilli();
        Map<String, String> hash = Map.of("v", "1", "dc", "57", "de", Long.toString(midnight), "dr", "3");
        try (Jedis server = redis.connect();
                Pipeline pipeline = server.pipelined()) {
            keys.forEach(key -> pipeline.hset("animalstore:test:{" + key + "-0}", hash));
        }
    }

    private Load load(int perMinute) {
        Load load = Load.lists(replicas, replicas.get(0).issue("""
                {"owner":"test","plan":"enterprise","limits":{"perMinute":%d,"perDay":1000000}}""".formatted(perMinute)));
        load.awaitMore(500);
        return load;
    }

    /** @param alone how many requests replicas decided alone, which are in no usage */
    private void assertUsage(Attempts sent, long uncertain, long alone) throws SQLException {
        assertWithin(sent.admitted(), uncertain, alone, sum("admitted"));
        assertWithin(sent.count("rate_limit_exceeded"), uncertain, alone, sum("refused"));
        assertWithin(sent.count("key_banned"), uncertain, alone, sum("banned"));
    }

    private static void assertWithin(long responses, long uncertain, long alone, long counted) {
        assertTrue(
                counted >= responses - alone && counted <= responses + uncertain,
                responses + " responses, " + counted + " counted");
    }

    /** The sum of an expression over the rows of the usage. */
    private long sum(String expression) throws SQLException {
        return query("select coalesce(sum(" + expression + "), 0) from usage_day")
                .get(0);
    }

    /** The numbers in the first column of the result, if there is one. */
    private List<Long> query(String sql) throws SQLException {
        return TestDatabase.column(DriverManager.getConnection(database, LocalPostgres.USER, ""), sql).stream()
                .map(Long::valueOf)
                .toList();
    }
}
