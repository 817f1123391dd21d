package dev.animalstore.order;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;

import dev.animalstore.fixture.PageWalker;
import dev.animalstore.fixture.Responses;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.page.ListTest;
import dev.animalstore.page.Listed;
import io.quarkus.test.junit.QuarkusTest;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
class ListOrdersTest extends ListTest {
    ListOrdersTest() {
        super(Listed.ORDERS);
    }

    @Test
    void list_ofUnshippedOrder_hasNoShipDate() {
        long id = add("9223372036854775807, -2147483648, null, 'placed', false");

        assertThat(
                everything(),
                containsString("{\"id\":" + id + ",\"petId\":9223372036854775807,\"quantity\":-2147483648,"
                        + "\"status\":\"placed\",\"complete\":false}"));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-24 08:00:00Z, 2026-11-24T08:00:00Z",
        "2026-11-24 08:00:00.123456+02, 2026-11-24T06:00:00.123456Z",
        "1969-12-31 23:59:59Z, 1969-12-31T23:59:59Z"
    })
    void list_ofShippedOrder_hasItsShipDateInUtc(String stored, String sent) {
        long id = add("12, 2, '" + stored + "', 'delivered', true");

        assertThat(
                everything(),
                containsString("{\"id\":" + id + ",\"petId\":12,\"quantity\":2,\"shipDate\":\"" + sent
                        + "\",\"status\":\"delivered\",\"complete\":true}"));
    }

    /** Adds an order of the given pet, quantity, ship date, status and completeness. */
    private static long add(String columns) {
        return TestDatabase.query("insert into store_order (pet_id, quantity, ship_date, status, complete) values ("
                        + columns + ") returning id")
                .get(0);
    }

    /** The bodies of all pages. */
    private static String everything() {
        return PageWalker.pages(TestKey.unlimited(), "/v1/store/orders?limit=100").stream()
                .map(Responses::text)
                .collect(Collectors.joining());
    }
}
