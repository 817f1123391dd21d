package dev.animalstore.database;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;

/** Hibernate's mapping agrees with the schema that Flyway creates. */
@QuarkusTest
class MappingTest {
    @Inject
    SessionFactory sessions;

    @Test
    void mapping_agreesWithTheMigratedSchema() {
        assertDoesNotThrow(() -> sessions.getSchemaManager().validateMappedObjects());
    }
}
