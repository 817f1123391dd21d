package dev.animalstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
        url = Servers.jdbcUrl().replaceFirst("/[^/]+$", "/" + DATABASE);
        for (String sql : List.of(
                "drop database if exists " + DATABASE,
                "drop role if exists " + OWNER,
                "drop role if exists " + SERVICE,
                "create database " + DATABASE)) {
            execute(Servers.connect(), sql);
        }
        execute(connect("postgres"), Files.readString(Path.of("src", "main", "kubernetes", "roles.sql")));
        List<String> command = Artifact.read()
                .command(List.of(
                        "-Dquarkus.init-and-exit=true",
                        "-Dquarkus.datasource.jdbc.url=" + url,
                        "-Dquarkus.datasource.username=" + OWNER,
                        "-Dquarkus.redis.hosts=" + Servers.redis()));
        List<Process> migrations = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            migrations.add(new ProcessBuilder(command).inheritIO().start());
        }
        exits = new ArrayList<>();
        for (Process migration : migrations) {
            assertTrue(migration.waitFor(60, TimeUnit.SECONDS), "A migration ends by itself.");
            exits.add(migration.exitValue());
        }
    }

    @Test
    void migrations_threeAtOnce_endWellAndMigrateOnce() throws SQLException {
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

    @Test
    void replica_ofARoleThatCannotChangeTheSchema_serves() throws Exception {
        try (Replica replica = Replica.start(Map.of(
                "quarkus.datasource.jdbc.url",
                url,
                "quarkus.datasource.username",
                SERVICE,
                "quarkus.flyway.migrate-at-start",
                "false",
                "quarkus.flyway.validate-at-start",
                "true",
                // The other database has keys of the same numbers, whose use is not theirs.
                "quarkus.redis.hosts",
                Servers.redis() + "/1",
                "animalstore.admin.token",
                Operator.TOKEN))) {
            JsonNode issued = new ObjectMapper()
                    .readTree(replica.operate("POST", "/admin/keys", "{\"owner\":\"acme\",\"plan\":\"free\"}")
                            .body());
            String path = "/admin/keys/" + issued.get("id").asLong();
            TestKey key =
                    new TestKey(issued.get("id").asLong(), issued.get("key").asText());

            assertEquals(
                    "[]", replica.get("/v1/pets", key).get(10, TimeUnit.SECONDS).body());
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
