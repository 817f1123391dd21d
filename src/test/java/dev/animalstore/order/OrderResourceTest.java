package dev.animalstore.order;

import static dev.animalstore.Answers.error;
import static dev.animalstore.Answers.metered;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import dev.animalstore.Answers;
import dev.animalstore.Rows;
import dev.animalstore.TestKey;
import dev.animalstore.Walk;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests share a database, so they count on the orders that they add and on no others being absent. */
@QuarkusTest
class OrderResourceTest {
    private static TestKey key;

    @BeforeAll
    static void issueKeyAndAddOrders() {
        key = TestKey.unlimited();
        Rows.addOrders(110, "placed");
        Rows.addOrders(2, "approved");
    }

    @Test
    void list_withoutParameters_answersTheFirst20() {
        Response page = list("");

        page.then()
                .spec(metered())
                .statusCode(200)
                .header("Content-Type", startsWith("application/json"))
                .header("Link", matchesPattern(nextLink("limit=20")));
        assertThat(
                page.jsonPath().getList("id", Long.class),
                equalTo(Rows.query("select id from store_order order by id limit 20")));
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

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void list_ofLimit_answersThatMany(int limit) {
        list("?limit=" + limit)
                .then()
                .statusCode(200)
                .body("$", hasSize(limit))
                .header("Link", matchesPattern(nextLink("limit=" + limit)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "101", "-1", "abc", "", "1.5", "%205", "99999999999", "5&limit=6"})
    void list_ofInvalidLimit_isRefused(String limit) {
        list("?limit=" + limit).then().spec(error(400, "invalid_parameter")).body("message", startsWith("limit "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"placed", "approved", "delivered"})
    void list_ofStatus_answersThatStatusAlone(String status) {
        Rows.addOrders(3, status);

        list("?limit=3&status=" + status)
                .then()
                .statusCode(200)
                .body("$", hasSize(3))
                .body("status", everyItem(equalTo(status)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Placed", "available", "placed&status=placed"})
    void list_ofInvalidStatus_isRefused(String status) {
        list("?status=" + status).then().spec(error(400, "invalid_parameter")).body("message", startsWith("status "));
    }

    @Test
    void walk_whileRowsAreInserted_givesEachRowOnceInOrder() {
        List<Long> expected = new ArrayList<>(Rows.addOrders(320, "approved"));

        List<Response> pages = Walk.pages(
                key,
                "/v1/store/orders?limit=100&status=approved",
                () -> expected.addAll(Rows.addOrders(1, "approved")));

        List<Long> ids = Walk.ids(pages);
        assertThat(pages.size(), greaterThan(3));
        assertThat(ids, equalTo(ids.stream().distinct().sorted().toList()));
        assertThat(ids.subList(ids.size() - expected.size(), ids.size()), equalTo(expected));
        pages.get(pages.size() - 1).then().header("Link", nullValue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"status=approved", "limit=5"})
    void list_ofCursorOfAnotherFilter_isRefused(String query) {
        String cursor = Walk.cursor(list("?limit=1&status=placed"));

        list("?" + query + "&cursor=" + cursor)
                .then()
                .spec(error(400, "invalid_parameter"))
                .body("message", startsWith("cursor "));
    }

    @Test
    void list_ofCursorOfAnotherList_isRefused() {
        Rows.addPets(2, "sold");
        String cursor = Walk.cursor(key.given().get("/v1/pets?limit=1"));

        list("?cursor=" + cursor).then().spec(error(400, "invalid_parameter")).body("message", startsWith("cursor "));
    }

    private static Response list(String query) {
        return key.given().urlEncodingEnabled(false).get("/v1/store/orders" + query);
    }

    /** Adds an order of the given pet, quantity, ship date, status and completeness. */
    private static long add(String columns) {
        return Rows.query("insert into store_order (pet_id, quantity, ship_date, status, complete) values (" + columns
                        + ") returning id")
                .get(0);
    }

    /** The bodies of all pages. */
    private static String everything() {
        return Walk.pages(key, "/v1/store/orders?limit=100").stream()
                .map(Answers::text)
                .collect(Collectors.joining());
    }

    private static String nextLink(String query) {
        return "<http://localhost:" + RestAssured.port + "/v1/store/orders\\?" + query
                + "&cursor=[A-Za-z0-9_-]{16}>; rel=\"next\"";
    }
}
