package dev.animalstore.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.process.Artifact;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The package with the two roles that a deployment has: one that migrates and ends, one that serves and cannot change the schema. */
class MigrationIT {
    private static final String OWNER = "animalstore_owner";
    private static final String SERVICE = "animalstore";
    private static final String DATABASE = "migration_it";

    private static String url;
    private static List<Integer> exits;

    /** Three migrations at once, as the init containers of three replicas. */
    @BeforeAll
    static void migrateAnEmptyDatabase() throws Exception {
        url = TestServers.jdbcUrl().replaceFirst("/[^/]+$", "/" + DATABASE);
        for (String sql : List.of(
                "drop database if exists " + DATABASE,
                "drop role if exists " + OWNER,
                "drop role if exists " + SERVICE,
                "create database " + DATABASE)) {
            execute(TestServers.connect(), sql);
        }
        execute(connect("postgres"), Files.readString(Path.of("src", "main", "kubernetes", "roles.sql")));
        List<Process> migrations = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            migrations.add(migrate());
        }
        exits = new ArrayList<>();
        for (Process migration : migrations) {
            exits.add(end(migration));
        }
    }

    @Test
    void migrations_threeAtOnce_succeedAndMigrateOnce() throws SQLException {
        assertEquals(List.of(0, 0, 0), exits);
        try (Connection connection = connect(SERVICE);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select version, success from flyway_schema_history")) {
            List<String> versions = new ArrayList<>();
            while (rows.next()) {
                assertTrue(rows.getBoolean("success"));
                versions.add(rows.getString("version"));
            }
            assertEquals(versions.stream().distinct().toList(), versions);
            assertTrue(versions.contains("1"), versions.toString());
        }
    }

    /** Migrations use connections of their own; on the service's, PostgreSQL ends statements after less than a second. */
    @Test
    void migration_thatWaitsLongerThanAStatementOfTheService_succeeds() throws Exception {
        Process migration;
        try (Connection holder = connect(OWNER);
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("lock table flyway_schema_history in access exclusive mode");
            migration = migrate();
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> waitingForTwoSeconds() == 1);
        }
        assertEquals(0, end(migration));
    }

    @Test
    void replica_ofARoleThatCannotChangeTheSchema_serves() throws Exception {
        try (Replica replica = serve()) {
            TestKey key = replica.issue("{\"owner\":\"acme\",\"plan\":\"free\"}");
            String path = Operator.path(key);

            assertEquals(
                    200, replica.get("/v1/pets", key).get(10, TimeUnit.SECONDS).statusCode());
            assertEquals(
                    201,
                    replica.operate("POST", path + "/rotation", "{\"graceSeconds\":0}")
                            .statusCode());
            assertEquals(204, replica.operate("DELETE", path, "").statusCode());
        }
        SQLException denied = assertThrows(
                SQLException.class, () -> execute(connect(SERVICE), "alter table pet add column more text"));
        assertEquals("42501", denied.getSQLState());
    }

    @Test
    void schema_ofALaterVersion_isAccepted() throws Exception {
        execute(
                connect(OWNER),
                "insert into flyway_schema_history"
                        + " select installed_rank + 1, '9999', 'later', type, 'V9999__later.sql', 1, installed_by, now(), 1, true"
                        + " from flyway_schema_history order by installed_rank desc limit 1");
        execute(connect(OWNER), "alter table pet add column later text");
        assertEquals(0, end(migrate()));
        try (Replica replica = serve()) {
            TestKey key = replica.issue("{\"owner\":\"acme\",\"plan\":\"free\"}");

            assertEquals(
                    201,
                    replica.post("/v1/pets", key, "{\"name\":\"Old\",\"categoryId\":1}")
                            .get(10, TimeUnit.SECONDS)
                            .statusCode());
        } finally {
            execute(connect(OWNER), "delete from flyway_schema_history where version = '9999'");
            execute(connect(OWNER), "alter table pet drop column later");
        }
    }

    /** Migrates as the init container does, which has no admin token. */
    private static Process migrate() throws IOException {
        return Artifact.read()
                .process(Map.of(
                        "quarkus.init-and-exit",
                        "true",
                        "quarkus.datasource.jdbc.url",
                        url,
                        "quarkus.datasource.username",
                        OWNER,
                        "quarkus.redis.hosts",
                        TestServers.redis()))
                .inheritIO()
                .start();
    }

    private static int end(Process migration) throws InterruptedException {
        assertTrue(migration.waitFor(60, TimeUnit.SECONDS), "A migration ends by itself.");
        return migration.exitValue();
    }

    /**
     * Starts a replica on the migrated database. It uses a Redis database of its own, since the tests' other one has keys of the same
     * numbers, which may have changed.
     */
    private static Replica serve() throws IOException {
        return Replica.start(Map.of(
                "quarkus.redis.hosts",
                TestServers.redis() + "/1",
                "quarkus.datasource.jdbc.url",
                url,
                "quarkus.datasource.username",
                SERVICE,
                "quarkus.flyway.migrate-at-start",
                "false",
                "quarkus.flyway.validate-at-start",
                "true",
                "animalstore.admin.token",
                Operator.TOKEN));
    }

    private static long waitingForTwoSeconds() {
        return TestDatabase.query("select count(*) from pg_stat_activity where datname = '" + DATABASE
                        + "' and wait_event_type = 'Lock' and query_start < clock_timestamp() - interval '2 s'")
                .get(0);
    }

    private static Connection connect(String role) throws SQLException {
        return DriverManager.getConnection(url, role, "");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (connection;
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
