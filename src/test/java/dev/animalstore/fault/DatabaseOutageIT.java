package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.FigureTable;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.Attempt;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Writers;
import dev.animalstore.process.PostgresProcess;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes while PostgreSQL fails in each way. Writes a table of docs/faults.md. */
@Tag("long")
class DatabaseOutageIT {
    private static final FigureTable TABLE = new FigureTable(
            "database-faults.md",
            "fault",
            "clients",
            "requests",
            "201",
            "503",
            "others",
            "slowest 503 ms",
            "slowest 201 ms",
            "last 503 after its end ms",
            "201 and lost",
            "added twice",
            "503 and added",
            "most connections");
    private static final Path SERVERS = Path.of("target", "test-servers");
    private static final Duration FAULT_TIME = Duration.ofSeconds(3);
    private static final double LONGEST_MILLIS = 2000;
    private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(5);

    /** The size of the service's connection pool, which equals its number of threads. */
    private static final int POOL = 20;

    /** How long PostgreSQL lets a statement run. */
    private static final int STATEMENT_MILLIS = 750;

    private static RedisProcess redis;
    private static PostgresProcess server;
    private static PostgresProcess standby;
    private static Replica replica;
    private static TestKey key;

    @BeforeAll
    static void start() throws Exception {
        redis = new RedisProcess(SERVERS.resolve("redis-of-writers"));
        server = new PostgresProcess(SERVERS.resolve("faulty-postgres"));
        standby = server.follow(SERVERS.resolve("standby-postgres"), Replica.freePort());
        replica = Replica.start(Map.of(
                "quarkus.datasource.jdbc.url",
                "jdbc:postgresql://" + server.address() + "," + standby.address()
                        + "/postgres?targetServerType=primary&hostRecheckSeconds=1",
                "quarkus.redis.hosts",
                redis.address(),
                "animalstore.admin.token",
                Operator.TOKEN));
        key = replica.issue(Operator.UNLIMITED);
        Writers warming = Writers.start(replica, key, 100);
        warming.continueFor(Duration.ofSeconds(5));
        warming.stop();
    }

    @AfterAll
    static void stop() throws IOException {
        replica.close();
        server.close();
        standby.close();
        redis.close();
    }

    @ParameterizedTest
    @CsvSource({
        "KILLED,32,true",
        "KILLED,100,true",
        "HUNG,32,true",
        "HUNG,100,true",
        "HUNG,32,false",
        "OUT_OF_CONNECTIONS,32,true",
        "OUT_OF_CONNECTIONS,100,true",
        "READ_ONLY,32,true",
        "LOCKED,32,true",
        "LOCKED,100,true",
        "LOCKED,32,false",
        "FAILED_OVER,100,true"
    })
    void writes_whileTheDatabaseFails_areKeptOrRefusedInTime(DatabaseFault fault, int clients, boolean retrying)
            throws Exception {
        Backends backends = new Backends(server);
        Writers writers =
                retrying ? Writers.start(replica, key, clients) : Writers.startWithoutRetries(replica, key, clients);
        writers.continueFor(Duration.ofMillis(500));
        fault.begin(server);
        writers.continueFor(FAULT_TIME);
        fault.end(server, standby);
        long healed = System.nanoTime();
        Awaitility.await().atMost(LONGEST_RECOVERY).until(() -> writers.hasAddedSince(healed));
        writers.continueFor(Duration.ofSeconds(2));
        Attempts attempts = writers.stop();
        backends.close();

        List<String> stored = storedNames(fault == DatabaseFault.FAILED_OVER ? standby : server);
        Outcome outcome = Outcome.of(attempts, stored, healed);
        outcome.report(fault, retrying ? clients + "" : clients + " without retries", backends.most());
        assertEquals(0, outcome.others(), "responses that are neither 201 nor a 503 that says when to come back");
        assertTrue(outcome.unavailable() > 0, "the fault was felt");
        assertEquals(Set.of(), outcome.lost(), "acknowledged with 201 and lost");
        assertEquals(Set.of(), outcome.twice(), "added twice");
        if (fault == DatabaseFault.LOCKED) {
            assertEquals(Set.of(), outcome.addedLater(), "refused with 503 every time and added");
            // One more, since the connection that holds the lock has the same name at first.
            assertTrue(backends.most() <= POOL + 1, backends.most() + " connections");
        }
        assertTrue(outcome.slowest503() <= longestMillis(fault, clients), outcome::toString);
        assertTrue(outcome.lastFailureMillis() <= LONGEST_RECOVERY.toMillis(), outcome::toString);
    }

    /**
     * The longest time that a 503 may take. While a table is locked the breaker stays closed, since other tables can be used, so
     * requests wait for a thread.
     */
    private static double longestMillis(DatabaseFault fault, int clients) {
        double turns = Math.ceil((double) clients / POOL);
        return fault == DatabaseFault.LOCKED ? turns * STATEMENT_MILLIS + 500 : LONGEST_MILLIS;
    }

    private static List<String> storedNames(PostgresProcess database) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = database.connect();
                var statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select name from pet")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    /** The outcome of all requests during one fault. */
    private record Outcome(
            int requests,
            long added,
            long unavailable,
            double slowest503,
            double slowest201,
            long lastFailureMillis,
            Set<String> lost,
            Set<String> twice,
            Set<String> addedLater) {
        static Outcome of(Attempts attempts, List<String> stored, long healed) {
            Set<String> once = new HashSet<>();
            Set<String> twice = stored.stream().filter(name -> !once.add(name)).collect(Collectors.toSet());
            Attempts added = attempts.filter(Attempt::isAdded);
            Attempts failed = attempts.filter(attempt -> !attempt.isAdded());
            Set<String> addedNames = names(added);
            Set<String> lost =
                    addedNames.stream().filter(name -> !once.contains(name)).collect(Collectors.toSet());
            Set<String> addedLater = names(attempts).stream()
                    .filter(name -> once.contains(name) && !addedNames.contains(name))
                    .collect(Collectors.toSet());
            long lastFailure = failed.all().stream()
                    .mapToLong(attempt -> attempt.end() - healed)
                    .max()
                    .orElse(0);
            return new Outcome(
                    attempts.requests(),
                    added.requests(),
                    attempts.count(Attempt::isUnavailable),
                    failed.slowestMillis(),
                    added.slowestMillis(),
                    Math.max(0, Duration.ofNanos(lastFailure).toMillis()),
                    lost,
                    twice,
                    addedLater);
        }

        private static Set<String> names(Attempts attempts) {
            return attempts.all().stream().map(Attempt::name).collect(Collectors.toSet());
        }

        long others() {
            return requests - added - unavailable;
        }

        void report(DatabaseFault fault, String clients, int mostConnections) {
            TABLE.add(
                    FigureTable.words(fault),
                    clients,
                    requests,
                    added,
                    unavailable,
                    others(),
                    Math.round(slowest503),
                    Math.round(slowest201),
                    lastFailureMillis,
                    lost.size(),
                    twice.size(),
                    addedLater.size(),
                    mostConnections);
        }
    }
}
