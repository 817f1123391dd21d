package dev.animalstore.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.TestServers;
import dev.animalstore.key.BearerKey;
import dev.animalstore.key.BearerKey.Environment;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** The demonstration data. */
@QuarkusTest
class DemoDataTest {
    @Test
    void key_ofAPlan_hasThirtyDaysOfUsageWithinItsQuota() throws Exception {
        BearerKey key = BearerKey.parse(DemoData.key("free"), Environment.TEST).orElseThrow();
        try (var connection = TestServers.connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(DemoData.script());
            try (var row = statement.executeQuery("""
                    select hash, count(*), min(admitted), max(admitted), max(refused)
                    from api_key k join api_key_secret s on s.key_id = k.id join usage_day u on u.key_id = k.id
                    where owner = 'demo' and plan = 'free' and hint = '%s' group by hash""".formatted(key.hint()))) {
                assertTrue(row.next());
                assertArrayEquals(key.hash().bytes(), row.getBytes(1));
                assertEquals(30, row.getInt(2));
                assertTrue(row.getInt(3) > 0);
                assertEquals(1000, row.getInt(4));
                assertTrue(row.getInt(5) > 0);
            }
            connection.rollback();
        }
    }
}
