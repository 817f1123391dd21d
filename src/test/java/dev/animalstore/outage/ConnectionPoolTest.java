package dev.animalstore.outage;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import dev.animalstore.fixture.TestDatabase;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;

/** What the application makes of the database when it starts. */
@QuarkusTest
class ConnectionPoolTest {
    @Inject
    SessionFactory sessions;

    @Test
    void mapping_agreesWithTheMigratedSchema() {
        assertDoesNotThrow(() -> sessions.getSchemaManager().validateMappedObjects());
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
