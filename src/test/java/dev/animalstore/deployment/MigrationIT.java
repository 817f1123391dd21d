package dev.animalstore.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.Patience;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.local.LocalPostgres;
import dev.animalstore.process.Artifact;
import dev.animalstore.process.Replica;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The package with the two roles that a deployment has: one that migrates and ends, one that serves and cannot change the schema. */
class MigrationIT {
    private static final String OWNER = "animalstore_owner";
    private static final String SERVICE = "animalstore";
    private static final String DATABASE = "migration_it";

    /** No superuser, as on a managed server. */
    private static final String ADMINISTRATOR = "administrator";

    /** Of the same server, with the same roles. */
    private static final String EARLIER_DATABASE = "earlier_migration_it";

    private static final File LOG = new File("target", "migration-it.log");

    private static String url;
    private static List<Integer> exits;

    /** Three migrations at once, as the init containers of three replicas. */
    @BeforeAll
    static void migrateAnEmptyDatabase() throws Exception {
        url = TestServers.jdbcUrl().replaceFirst("/[^/]+$", "/" + DATABASE);
        for (String sql : List.of(
                "drop database if exists " + DATABASE,
                "drop database if exists " + EARLIER_DATABASE,
                "drop role if exists " + OWNER,
                "drop role if exists " + SERVICE,
                "drop role if exists " + ADMINISTRATOR,
                "create role " + ADMINISTRATOR + " createrole",
                "create database " + EARLIER_DATABASE + " owner " + ADMINISTRATOR,
                "create database " + DATABASE + " owner " + ADMINISTRATOR)) {
            TestDatabase.execute(sql);
        }
        createRoles(EARLIER_DATABASE);
        createRoles(DATABASE);
        List<Process> migrations = List.of(migrate(), migrate(), migrate());
        exits = new ArrayList<>();
        for (Process migration : migrations) {
            exits.add(end(migration));
        }
        createRoles(DATABASE);
    }

    private static void createRoles(String database) throws IOException, SQLException {
        TestDatabase.column(
                TestServers.connect(url.replace(DATABASE, database), LocalPostgres.USER),
                "set role " + ADMINISTRATOR + ";"
                        + Files.readString(Path.of("src", "main", "kubernetes", "roles.sql")));
    }

    @Test
    void migrations_threeAtOnce_succeedAndMigrateOnce() throws SQLException {
        assertEquals(List.of(0, 0, 0), exits);
        assertEquals(List.of("t"), TestDatabase.column(connect(SERVICE), """
                        select count(*) = count(distinct version) and bool_and(success) and bool_or(version = '1')
                        from metering.flyway_schema_history"""));
    }

    /**
     * A later version has migrated the database before. The migration waits longer than a statement of the service may take: it uses
     * connections of its own.
     */
    @Test
    void replica_onALaterSchemaThatItsRoleCannotChange_serves() throws Exception {
        Process migration;
        try (Connection holder = connect(OWNER);
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("lock table flyway_schema_history in access exclusive mode");
            migration = migrate();
            Awaitility.await().until(() -> waitingForTwoSeconds() == 1);
            statement.execute("insert into flyway_schema_history"
                    + " select installed_rank + 1, '9999', 'later', type, 'V9999__later.sql', 1, installed_by, now(), 1, true"
                    + " from flyway_schema_history order by installed_rank desc limit 1");
            statement.execute("alter table pet add column later text");
            holder.commit();
        }
        assertEquals(0, end(migration));
        try (Replica replica = serve()) {
            TestKey key = replica.issue("{\"owner\":\"acme\",\"plan\":\"free\"}");
            String path = Operator.path(key);
            assertEquals(201, replica.post("/v1/pets", key, Replica.PET).join().statusCode());
            assertEquals(200, replica.status("/v1/pets", key));
            assertEquals(
                    201,
                    replica.operate("POST", path + "/rotation", "{\"graceSeconds\":0}")
                            .statusCode());
            assertEquals(204, replica.operate("DELETE", path, "").statusCode());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alter table pet add column more text",
                "delete from flyway_schema_history",
                "update plan set per_minute = 1000000",
                "insert into plan values ('mine', 1, 1)",
                "insert into key_change default values",
                "update key_change set operator = 'nobody'"
            })
    void role_ofTheService_cannotChangeTheSchemaThePlansOrTheRecordOfChanges(String misdeed) {
        SQLException denied = assertThrows(SQLException.class, () -> TestDatabase.column(connect(SERVICE), misdeed));
        assertEquals("42501", denied.getSQLState());
    }

    /** It removes what is older than a day. */
    @Test
    void recordOfAChange_byTheService_canBeReadButNotChangedOrRemoved() throws SQLException {
        TestDatabase.column(connect(SERVICE), "insert into api_key (owner, plan) values ('recorded', 'free')");
        TestDatabase.column(connect(OWNER), "insert into key_change (at) values (now() - interval '25 hours')");
        String recorded = "select count(*) from key_change where operator = '" + SERVICE + "'";
        assertEquals(List.of("1"), TestDatabase.column(connect(SERVICE), recorded));
        TestDatabase.column(connect(SERVICE), "delete from key_change");
        assertEquals(List.of("1"), TestDatabase.column(connect(OWNER), recorded));
        assertEquals(
                List.of("0"),
                TestDatabase.column(
                        connect(OWNER), "select count(*) from key_change where at < now() - interval '1 day'"));
    }

    /** By its first sweep. */
    @Test
    void recordOfAChange_thatIsOlderThanKept_isRemovedByAReplica() throws Exception {
        TestDatabase.column(
                connect(OWNER), "insert into key_change (at, operator) values (now() - interval '500 days', 'old')");
        String kept = "select count(*) from key_change where operator = 'old'";
        try (Replica replica = serve()) {
            Awaitility.await()
                    .until(() -> TestDatabase.column(connect(OWNER), kept).equals(List.of("0")));
            assertEquals(List.of(), replica.messages("could not be collected"));
        }
    }

    /** Migrates as the init container does, which has no admin token. */
    private static Process migrate() throws IOException {
        return Artifact.read()
                .process(Map.ofEntries(
                        Map.entry("animalstore.migration.only", "true"),
                        Map.entry("quarkus.datasource.jdbc.url", url),
                        Map.entry("quarkus.datasource.username", OWNER),
                        Map.entry("quarkus.redis.hosts", TestServers.redis())))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(LOG))
                .start();
    }

    private static int end(Process migration) throws InterruptedException {
        assertTrue(migration.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS), "A migration ends by itself.");
        return migration.exitValue();
    }

    /**
     * Starts a replica on the migrated database. It uses a Redis database of its own, since the tests' other one has keys of the same
     * numbers, which may have changed.
     */
    private static Replica serve() throws IOException {
        return Replica.start(Map.ofEntries(
                Map.entry("quarkus.redis.hosts", TestServers.redis() + "/1"),
                Map.entry("quarkus.datasource.jdbc.url", url),
                Map.entry("quarkus.datasource.username", SERVICE),
                Map.entry("quarkus.flyway.migrate-at-start", "false"),
                Map.entry("quarkus.flyway.validate-at-start", "true")));
    }

    private static long waitingForTwoSeconds() {
        return TestDatabase.number("select count(*) from pg_stat_activity where datname = '" + DATABASE
                + "' and wait_event_type = 'Lock' and query_start < clock_timestamp() - interval '2 s'");
    }

    private static Connection connect(String role) throws SQLException {
        return TestServers.connect(url, role);
    }
}
