package dev.animalstore.replicas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Load;
import dev.animalstore.local.LocalPostgres;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Replicas under load, with faults of replicas and Redis: each response that clients got is in the usage. */
@Tag("long")
class UsageIT {
    /** Half of Redis's timeout: a request that is counted twice has taken longer. */
    private static final double LONG_MILLIS = 20;

    private static final List<Integer> HANGS_MILLIS = List.of(30, 100, 600, 4000);

    private final List<Replica> replicas = new ArrayList<>();
    private RedisProcess redis;
    private String database;
    private Map<String, String> properties;

    /** With a database of their own, since other replicas, which know nothing of this Redis, could collect in place of these. */
    @BeforeEach
    void startServers() throws IOException {
        redis = new RedisProcess("usage-redis");
        database = TestDatabase.recreate("usage_it");
        properties = new HashMap<>(Map.ofEntries(
                Map.entry("quarkus.datasource.jdbc.url", database),
                Map.entry("quarkus.redis.hosts", redis.address()),
                Map.entry("animalstore.replicas", "2")));
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
            Awaitility.await().until(replica::isShared);
            alone += (long) replica.metric("animalstore_quota_local_decisions_total");
            replica.close();
        }

        assertUsage(sent, sent.count(attempt -> attempt.millis() > LONG_MILLIS), alone);
        assertEquals(0, sent.count(500) + sent.count(503));
    }

    /** A host whose clock was local time, or a machine that was resumed. */
    @Test
    @Tag("timed")
    void usage_ofAReplicaWhoseClockIsSetBack_isStored() throws Exception {
        Path time = Files.writeString(Path.of("target", "faketime").toAbsolutePath(), "+0s");
        properties.putAll(SharedQuotaIT.faked("FAKETIME_TIMESTAMP_FILE", time.toString()));
        Replica replica = Replica.start(properties);
        replicas.add(replica);
        TestKey key = replica.issue("{\"owner\":\"test\",\"plan\":\"free\"}");
        replica.get("/v1/pets", key).join();
        awaitAdmitted(1);
        Files.writeString(time, "-2h");
        replica.get("/v1/pets", key).join();
        awaitAdmitted(2);
    }

    private void awaitAdmitted(long count) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20).plus(Replica.ROOM))
                .until(() -> query("select admitted from usage_day").equals(List.of(count)));
    }

    private Load load(int perMinute) {
        Load load = Load.lists(replicas, replicas.get(0).issue("""
                {"owner":"test","plan":"enterprise","limits":{"perMinute":%d,"perDay":1000000}}""".formatted(perMinute)));
        load.awaitMore(500);
        return load;
    }

    /** @param alone how many requests replicas decided alone, which are in no usage */
    private void assertUsage(Attempts sent, long uncertain, long alone) throws SQLException {
        assertWithin(sent.admitted(), uncertain, alone, "admitted");
        assertWithin(sent.count("rate_limit_exceeded"), uncertain, alone, "refused");
        assertWithin(sent.count("key_banned"), uncertain, alone, "banned");
    }

    private void assertWithin(long responses, long uncertain, long alone, String column) throws SQLException {
        long counted =
                query("select coalesce(sum(" + column + "), 0) from usage_day").get(0);
        assertTrue(
                counted >= responses - alone && counted <= responses + uncertain,
                responses + " responses, " + counted + " counted as " + column);
    }

    private List<Long> query(String sql) throws SQLException {
        return TestDatabase.column(TestServers.connect(database, LocalPostgres.USER), sql).stream()
                .map(Long::valueOf)
                .toList();
    }
}
