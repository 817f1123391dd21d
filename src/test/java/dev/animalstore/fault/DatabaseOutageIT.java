package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.FigureTable;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.Responses;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Attempts.Attempt;
import dev.animalstore.load.Load;
import dev.animalstore.process.PostgresProcess;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes while PostgreSQL fails in each way. Writes a table of docs/faults.md. */
@Tag("timed")
@Tag("long")
class DatabaseOutageIT {
    private static final FigureTable TABLE = new FigureTable(
            "database-faults.md",
            "fault | clients | requests | 201 | 503 | others | slowest 503 ms | slowest 201 ms | last 503 after its end ms"
                    + " | 201 and lost | added twice | 503 and added");
    private static final Duration FAULT_TIME = Duration.ofSeconds(2);
    private static final int BURST = 60;
    private static final double LONGEST_MILLIS = 2000;
    private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(5);

    @AutoClose
    private static RedisProcess redis;

    @AutoClose
    private static PostgresProcess server;

    @AutoClose
    private static PostgresProcess standby;

    @AutoClose("kill")
    private static Replica replica;

    private static TestKey key;

    @BeforeAll
    static void start() throws Exception {
        redis = new RedisProcess("redis-of-writers");
        server = new PostgresProcess("faulty-postgres");
        Path logIns = Path.of("target", "test-servers", "faulty-postgres", "data", "pg_hba.conf");
        Files.writeString(logIns, "host all service 127.0.0.1/32 scram-sha-256\n" + Files.readString(logIns));
        server.execute(
                "select pg_reload_conf()",
                "create role service login password 'old'",
                "grant create on schema public to service",
                "grant create on database postgres to service");
        standby = server.follow("standby-postgres");
        String hosts = server.address() + "," + standby.address();
        replica = Replica.startWithTimeouts(Map.ofEntries(
                Map.entry(
                        "quarkus.datasource.jdbc.url", "jdbc:postgresql://" + hosts + "/postgres?hostRecheckSeconds=1"),
                Map.entry("quarkus.datasource.username", "service"),
                Map.entry("quarkus.datasource.password", "old"),
                Map.entry("quarkus.redis.hosts", redis.address()),
                // Another server makes the replica forget the key, which would count as guessed beside the load without
                // a key.
                Map.entry("animalstore.failed-authentication.per-minute", "1000000"),
                Map.entry("animalstore.failed-authentication.per-day", "1000000")));
        key = replica.issue(Operator.UNLIMITED);
        Load.additions(100, true, replica, key).stopAfter(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @CsvSource({
        "KILLED,100,true",
        "HUNG,100,true",
        "HUNG,32,false",
        "OUT_OF_CONNECTIONS,100,true",
        "READ_ONLY,32,true",
        "READ_ONLY_LATER,32,true",
        "NO_LOG_IN,32,true",
        "ANOTHER_PASSWORD,32,false",
        "NO_RIGHT_TO_CONNECT,32,true",
        "NO_RIGHT_TO_WRITE,32,true",
        "FAILED_OVER,100,true"
    })
    void writes_whileTheDatabaseFails_areKeptOrRefusedInTime(DatabaseFault fault, int clients, boolean retrying)
            throws Exception {
        Load load = Load.additions(clients, retrying, replica, key);
        Load undecided = Load.unauthenticated(replica);
        load.continueFor(Duration.ofMillis(500));
        fault.begin(server);
        load.continueFor(FAULT_TIME);
        PostgresProcess healthy = fault == DatabaseFault.FAILED_OVER ? standby : server;
        fault.end(healthy);
        long healed = System.nanoTime();
        Awaitility.await()
                .atMost(LONGEST_RECOVERY.plus(Replica.ROOM))
                .until(() -> load.attempts().count(attempt -> attempt.isAdded() && attempt.begin() - healed > 0) > 0);
        Responses.atOnce(BURST, i -> replica.post("/v1/pets", key, named(UUID.randomUUID())))
                .forEach(response -> assertEquals(201, response.statusCode(), "in a burst after its end"));
        Attempts attempts = load.stopAfter(Duration.ofSeconds(1));
        Attempts busy = undecided.stop();

        Attempts added = attempts.filter(Attempt::isAdded);
        Attempts failed = attempts.filter(attempt -> !attempt.isAdded());
        long unavailable = attempts.count(Attempt::isUnavailable);
        long lastFailure = failed.all().stream()
                .mapToLong(attempt -> Duration.ofNanos(attempt.end() - healed).toMillis())
                .filter(millis -> millis > 0)
                .max()
                .orElse(0);
        List<String> pets = TestDatabase.column(healthy.connect(), "select name from pet");
        Set<String> stored = new HashSet<>(pets);
        Set<String> lost = without(stored, names(added));
        Set<String> addedLater = names(attempts);
        addedLater.retainAll(without(names(added), stored));
        TABLE.add(
                FigureTable.words(fault),
                retrying ? clients : clients + " without retries",
                attempts.requests(),
                added.requests(),
                unavailable,
                failed.requests() - unavailable,
                Math.round(failed.slowestMillis()),
                Math.round(added.slowestMillis()),
                lastFailure,
                lost.size(),
                pets.size() - stored.size(),
                addedLater.size());
        // While the first attempt of a key is still in progress in PostgreSQL, a repeated one gets 409.
        long inProgress = retrying ? attempts.count(409) : 0;
        assertEquals(
                failed.requests(), unavailable + inProgress, () -> "503s that say when to come back, of " + failed);
        assertTrue(unavailable > 0, "the fault was felt");
        assertEquals(Set.of(), lost, "acknowledged with 201 and lost");
        assertEquals(stored.size(), pets.size(), "added twice");
        assertTrue(
                failed.slowestMillis() <= LONGEST_MILLIS + 3 * busy.slowestMillis(),
                () -> failed + ", without PostgreSQL " + busy);
        assertTrue(lastFailure <= LONGEST_RECOVERY.plus(Replica.ROOM).toMillis(), lastFailure + " ms after its end");
    }

    private static String named(UUID name) {
        return "{\"name\":\"" + name + "\",\"categoryId\":1,\"status\":\"available\"}";
    }

    private static Set<String> names(Attempts attempts) {
        return attempts.all().stream().map(Attempt::name).collect(Collectors.toCollection(HashSet::new));
    }

    private static Set<String> without(Set<String> some, Set<String> names) {
        Set<String> rest = new HashSet<>(names);
        rest.removeAll(some);
        return rest;
    }
}
