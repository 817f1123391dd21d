package dev.animalstore.pet;

import static dev.animalstore.Answers.error;
import static dev.animalstore.Answers.metered;
import static dev.animalstore.Answers.text;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import dev.animalstore.Rows;
import dev.animalstore.TestKey;
import dev.animalstore.Walk;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests share a database, so they count on the pets that they add and on no others being absent. */
@QuarkusTest
class PagingTest {
    private static TestKey key;

    @BeforeAll
    static void issueKeyAndAddPets() {
        key = TestKey.unlimited();
        Rows.addPets(110, "pending");
        Rows.addPets(2, "sold");
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
                equalTo(Rows.query("select id from pet order by id limit 20")));
    }

    @Test
    void list_pet_hasItsFourMembers() {
        String first = text(list("?limit=1&status=pending"));

        assertThat(
                first,
                matchesPattern(
                        "\\[\\{\"id\":[0-9]+,\"name\":\"[^\"]+\",\"categoryId\":-?[0-9]+,\"status\":\"pending\"}]"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 99, 100})
    void list_ofLimit_answersThatMany(int limit) {
        list("?limit=" + limit)
                .then()
                .statusCode(200)
                .body("$", hasSize(limit))
                .header("Link", matchesPattern(nextLink("limit=" + limit)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "101",
                "-1",
                "-0",
                "abc",
                "",
                "1.5",
                "5.0",
                "%205",
                "5%20",
                "+5",
                "%2B5",
                "1e1",
                "0x5",
                "99999999999",
                "99999999999999999999999",
                "%D9%A5",
                "5%00",
                "5,6",
                "20&limit=20",
                "1&limit=500",
                "null"
            })
    void list_ofInvalidLimit_isRefused(String limit) {
        list("?limit=" + limit)
                .then()
                .spec(error(400, "invalid_parameter"))
                .header("Link", nullValue())
                .body("message", startsWith("limit "));
    }

    @Test
    void list_ofInvalidLimit_namesTheBounds() {
        list("?limit=101").then().body("message", equalTo("limit must be a whole number from 1 to 100."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"available", "pending", "sold"})
    void list_ofStatus_answersThatStatusAlone(String status) {
        Rows.addPets(3, status);

        list("?limit=3&status=" + status)
                .then()
                .statusCode(200)
                .body("$", hasSize(3))
                .body("status", everyItem(equalTo(status)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Available",
                "SOLD",
                "sold%20",
                "lost",
                "placed",
                "sold,pending",
                "sold&status=pending",
                "null"
            })
    void list_ofInvalidStatus_isRefused(String status) {
        list("?status=" + status).then().spec(error(400, "invalid_parameter")).body("message", startsWith("status "));
    }

    @Test
    void list_ofUnknownParameter_ignoresIt() {
        list("?limit=1&colour=red").then().statusCode(200).body("$", hasSize(1));
    }

    @Test
    void list_head_answersTheHeadersAlone() {
        key.given()
                .head("/v1/pets?limit=1")
                .then()
                .spec(metered())
                .statusCode(200)
                .header("Content-Type", startsWith("application/json"))
                .header("Link", matchesPattern(nextLink("limit=1")))
                .body(equalTo(""));
    }

    @Test
    void list_filtered_linksToTheNextPageOfThatFilter() {
        list("?status=pending&limit=5").then().header("Link", matchesPattern(nextLink("limit=5&status=pending")));
    }

    @Test
    void list_ofAnotherHost_linksToThatHost() {
        key.given()
                .header("Host", "animals.example")
                .get("/v1/pets?limit=1")
                .then()
                .header("Link", startsWith("<http://animals.example/v1/pets?limit=1&cursor="));
    }

    @ParameterizedTest
    @CsvSource({"limit=100, limit=100", "limit=100&status=pending, limit=100&status=pending"})
    void walk_whileRowsAreInserted_givesEachRowOnceInOrder(String query, String link) {
        List<Long> expected = new ArrayList<>(Rows.addPets(320, "pending"));

        List<Response> pages = Walk.pages(key, "/v1/pets?" + query, () -> expected.addAll(Rows.addPets(1, "pending")));

        List<Long> ids = Walk.ids(pages);
        assertThat(pages.size(), greaterThan(3));
        assertThat(ids, equalTo(ids.stream().distinct().sorted().toList()));
        assertThat(ids.subList(ids.size() - expected.size(), ids.size()), equalTo(expected));
        for (Response page : pages.subList(0, pages.size() - 1)) {
            page.then().body("$", hasSize(100)).header("Link", matchesPattern(nextLink(link)));
        }
        pages.get(pages.size() - 1).then().header("Link", nullValue());
    }

    @Test
    void walk_toALastPageThatIsFull_endsThere() {
        long sold = Rows.query("select count(*) from pet where status = 'sold'").get(0);
        Rows.addPets((int) (200 - sold % 100), "sold");

        List<Response> pages = Walk.pages(key, "/v1/pets?status=sold&limit=100");

        pages.get(pages.size() - 1).then().body("$", hasSize(100)).header("Link", nullValue());
    }

    @Test
    void list_afterTheLastRow_isEmpty() {
        String cursor = Walk.cursor(list("?limit=1&status=sold"));
        Rows.execute("delete from pet where status = 'sold' and id > (select min(id) from pet where status = 'sold')");

        Response page = list("?status=sold&cursor=" + cursor);

        page.then().spec(metered()).statusCode(200).header("Link", nullValue());
        assertThat(text(page), equalTo("[]"));
    }

    @Test
    void list_ofCursorWithAnotherLimit_goesOnThere() {
        Response first = list("?limit=2&status=pending");

        Response second = list("?limit=3&status=pending&cursor=" + Walk.cursor(first));

        List<Long> rows = Rows.query("select id from pet where status = 'pending' order by id limit 5");
        assertThat(Walk.ids(List.of(first, second)), equalTo(rows));
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
                    status=pending, status=sold
                    status=pending, -
                    -, status=pending
                    """)
    void list_ofCursorOfAnotherFilter_isRefused(String made, String used) {
        String cursor = Walk.cursor(list("?limit=1" + (made == null ? "" : "&" + made)));

        list("?cursor=" + cursor + (used == null ? "" : "&" + used))
                .then()
                .spec(error(400, "invalid_parameter"))
                .body("message", startsWith("cursor "));
    }

    @Test
    void list_ofCursorOfAnotherList_isRefused() {
        Rows.addOrders(2, "placed");
        String cursor = Walk.cursor(key.given().get("/v1/store/orders?limit=1"));

        list("?cursor=" + cursor).then().spec(error(400, "invalid_parameter")).body("message", startsWith("cursor "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "A",
                "AAAAAAAAAAAAAAAA",
                "%s=",
                "%sA",
                "A%s",
                "%%20%s",
                "%s%%20",
                "%s%%0A",
                "%s&cursor=%1$s",
                "%s.",
                "1",
                "-1",
                "null",
                "%%00"
            })
    void list_ofDamagedCursor_isRefused(String form) {
        String cursor = Walk.cursor(list("?limit=1"));

        list("?cursor=" + form.formatted(cursor))
                .then()
                .spec(error(400, "invalid_parameter"))
                .header("Link", nullValue())
                .body("message", containsString("cursor"));
    }

    @Test
    void list_ofCursorWithOneOtherCharacter_isRefused() {
        String cursor = Walk.cursor(list("?limit=1"));
        char last = cursor.charAt(15);

        list("?cursor=" + cursor.substring(0, 15) + (last == 'A' ? 'B' : 'A'))
                .then()
                .spec(error(400, "invalid_parameter"))
                .body("message", startsWith("cursor "));
    }

    private static Response list(String query) {
        return key.given().urlEncodingEnabled(false).get("/v1/pets" + query);
    }

    private static String nextLink(String query) {
        return "<http://localhost:" + RestAssured.port + "/v1/pets\\?" + query
                + "&cursor=[A-Za-z0-9_-]{16}>; rel=\"next\"";
    }
}
