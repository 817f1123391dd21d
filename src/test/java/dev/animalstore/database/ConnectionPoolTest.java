package dev.animalstore.database;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.TestDatabase;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ConnectionPoolTest {
    @Test
    void pool_afterTheStart_isFilledInTheBackground() {
        Awaitility.await()
                .untilAsserted(() -> assertEquals(
                        List.of(20L),
                        TestDatabase.query("select count(*) from pg_stat_activity"
                                + " where application_name = 'PostgreSQL JDBC Driver'"
                                + " and pid <> pg_backend_pid() and query not like '%lock%'")));
    }
}
