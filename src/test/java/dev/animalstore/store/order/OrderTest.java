package dev.animalstore.store.order;

import static dev.animalstore.fixture.Responses.text;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class OrderTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            null                            |
            '2026-11-24 08:00:00Z'          | "shipDate":"2026-11-24T08:00:00Z",
            '2026-11-24 08:00:00.123456+02' | "shipDate":"2026-11-24T06:00:00.123456Z",
            '1969-12-31 23:59:59Z'          | "shipDate":"1969-12-31T23:59:59Z",
            '1582-10-04 00:00:00Z'          | "shipDate":"1582-10-04T00:00:00Z",
            '0001-01-01 00:00:00Z'          | "shipDate":"0001-01-01T00:00:00Z",
            '9999-12-31 23:59:59.999999Z'   | "shipDate":"9999-12-31T23:59:59.999999Z",
            """)
    void order_hasItsShipDateInUtcIfItWasShipped(String stored, String sent) {
        TestDatabase.execute("delete from store_order where status = 'delivered'");
        long id = TestDatabase.number("insert into store_order (pet_id, quantity, ship_date, status, complete) values"
                + " (9223372036854775807, -2147483648, " + stored + ", 'delivered', true) returning id");

        assertThat(
                text(TestKey.unlimited().given().get("/v1/store/orders?status=delivered")),
                equalTo("[{\"id\":" + id + ",\"petId\":9223372036854775807,\"quantity\":-2147483648,"
                        + (sent == null ? "" : sent) + "\"status\":\"delivered\",\"complete\":true}]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"infinity", "-infinity", "0001-12-31 23:59:59Z BC", "10000-01-01 00:00:00Z"})
    void shipDate_thatRfc3339CannotWrite_isRefusedByTheColumn(String date) {
        Executable insertion = () -> TestDatabase.execute(
                "insert into store_order (pet_id, quantity, ship_date, status, complete) values (1, 1, '" + date
                        + "', 'placed', false)");

        assertTrue(assertThrows(IllegalStateException.class, insertion)
                .getMessage()
                .contains("store_order_ship_date_check"));
    }
}
