package dev.animalstore.deployment;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.local.LocalPostgres;
import io.quarkus.flyway.FlywayDataSource;
import io.quarkus.hibernate.orm.PersistenceUnit;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.migration.BaseJavaMigration;
import org.flywaydb.core.api.migration.Context;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;

/**
 * A migration is applied while replicas of the previous version still run, so it may only add what they can ignore. The mapping agrees with
 * the migrated schema.
 */
@QuarkusTest
class MigrationsTest {
    private static final Path FOLDER = Path.of("src", "main", "resources", "db");
    private static final Pattern COMMENT = Pattern.compile("--[^\n]*");

    /** Statements that make a replica of the previous version fail or wait. */
    private static final Pattern BREAKING = Pattern.compile(
            "(?i)\\b(drop|rename|truncate|revoke|lock|update|delete|trigger|rule)\\b|\\bcreate\\s+unique\\b|\\balter\\s+column\\b|\\bset\\s+not\\s+null\\b"
                    + "|\\badd\\s+(constraint|check|unique|primary|foreign)\\b"
                    + "|\\badd\\b(?=[^,;]*\\bnot\\s+null\\b)(?![^,;]*\\bdefault\\b)");

    @Inject
    SessionFactory sessionsOfTheService;

    @Inject
    @PersistenceUnit("metering")
    SessionFactory sessionsOfKeys;

    @Inject
    Flyway flywayOfTheService;

    @Inject
    @FlywayDataSource("metering")
    Flyway flyway;

    @Test
    void migration_afterTheFirst_onlyAdds() throws IOException {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            for (Path file : files.filter(file -> file.toString().matches(".*V(?!1__).*[.]sql"))
                    .toList()) {
                assertFalse(isBreaking(Files.readString(file)), file.toString());
            }
        }
    }

    private static boolean isBreaking(String sql) {
        return BREAKING.matcher(COMMENT.matcher(sql).replaceAll("")).find();
    }

    @Test
    void mapping_agreesWithTheMigratedSchema() {
        assertDoesNotThrow(() -> sessionsOfTheService.getSchemaManager().validateMappedObjects());
        assertDoesNotThrow(() -> sessionsOfKeys.getSchemaManager().validateMappedObjects());
    }

    /** A change of one that they do not name would be seen by no replica. */
    @Test
    void triggersOfKeys_nameEveryColumnThatIsAChange() {
        assertEquals(
                List.of("raise_version", "record_change"),
                TestDatabase.column("select trigger_name from information_schema.triggered_update_columns"
                                + " where event_object_table = 'api_key' group by trigger_name"
                                + " having array_agg(event_object_column::text order by event_object_column::text) = (select"
                                + " array_agg(column_name::text order by column_name::text) from information_schema.columns"
                                + " where table_name = 'api_key' and column_name <> 'last_used_at') order by 1")
                        .toList());
    }

    /** Flyway refuses such a schema, and advises this setting. */
    @Test
    void schema_withATableOfAnotherService_getsEveryMigrationIfItIsTakenAsTheBaseline() throws SQLException {
        String database = TestDatabase.recreate("baseline");
        TestDatabase.column(connect(database), "create table foreign_table (id bigint primary key)");
        Flyway.configure()
                .configuration(flywayOfTheService.getConfiguration())
                .dataSource(database, LocalPostgres.USER, "")
                .baselineOnMigrate(true)
                .load()
                .migrate();
        assertEquals(List.of("0"), TestDatabase.column(connect(database), "select count(*) from pet"));
    }

    /** As behind a dump. Meanwhile changes of keys would wait behind the migration. */
    @Test
    void migration_thatWaitsForATable_failsSoonAndCanBeRepeated() throws SQLException {
        String database = TestDatabase.recreate("waiting");
        FluentConfiguration configuration = Flyway.configure()
                .configuration(flyway.getConfiguration())
                .dataSource(database, LocalPostgres.USER, "");
        configuration.load().migrate();
        Flyway upgrade = configuration.javaMigrations(new V9000__Next()).load();
        try (Connection dump = connect(database)) {
            dump.setAutoCommit(false);
            dump.createStatement().execute("select count(*) from key_change");
            String failure =
                    assertThrows(FlywayException.class, upgrade::migrate).getMessage();
            assertTrue(failure.contains("lock timeout"), failure);
        }
        upgrade.migrate();
    }

    /** A migration of a later version. */
    private static final class V9000__Next extends BaseJavaMigration {
        @Override
        public void migrate(Context context) throws SQLException {
            try (Statement statement = context.getConnection().createStatement()) {
                statement.execute("alter table key_change add column next text");
            }
        }
    }

    /** They are not replicated for an upgrade by logical replication. */
    @Test
    void sequences_areNamedWhereOperatorsReadHowToSetThem() throws IOException {
        String document = Files.readString(Path.of("docs", "operate.md"));
        TestDatabase.column(
                        "select replace(sequencename, '_id_seq', '') from pg_sequences where schemaname in ('public', 'metering')")
                .forEach(table -> assertTrue(
                        document.contains("`" + table + "`") || document.contains("'" + table + "_id_seq'"),
                        () -> "Add `" + table + "` to the sequences in docs/operate.md, \"Upgrade PostgreSQL\"."));
    }

    private static Connection connect(String database) throws SQLException {
        return TestServers.connect(database, LocalPostgres.USER);
    }

    /** As for an upgrade by logical replication. PostgreSQL then refuses changes of a table without a primary key, also of no rows. */
    @Test
    void tables_thatArePublished_canBeChanged() {
        TestDatabase.execute("create publication upgrade for all tables");
        try {
            TestDatabase.column("select format('delete from %s where false', oid::regclass) from pg_class"
                            + " where relkind = 'r' and relnamespace = 'public'::regnamespace")
                    .forEach(TestDatabase::execute);
        } finally {
            TestDatabase.execute("drop publication upgrade");
        }
    }
}
