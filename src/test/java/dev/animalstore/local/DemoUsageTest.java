package dev.animalstore.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.TestServers;
import io.quarkus.test.junit.QuarkusTest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** The usage in the demonstration data. */
@QuarkusTest
class DemoUsageTest {
    @Test
    void usage_ofADemonstrationKey_coversThirtyDaysWithinItsQuota() throws SQLException {
        TestKey key = TestKey.of("free");
        try (Connection connection = TestServers.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("delete from usage_day");
            statement.execute(DemoData.USAGE);
            try (var row = statement.executeQuery(
                    "select count(*), min(admitted), max(admitted), max(refused) from usage_day where key_id = "
                            + key.id())) {
                row.next();
                assertEquals(30, row.getInt(1));
                assertTrue(row.getInt(2) > 0);
                assertEquals(1000, row.getInt(3));
                assertTrue(row.getInt(4) > 0);
            }
            connection.rollback();
        }
    }
}
