package dev.animalstore.page;

import static dev.animalstore.fixture.Responses.metered;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.startsWith;

import dev.animalstore.fixture.TestDatabase;
import io.restassured.response.Response;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the parameters of each list of the API, in addition to its pages. */
public abstract class ListTest extends PagingTest {
    /** Tests one list. */
    protected ListTest(Listed listed) {
        super(listed);
    }

    @Test
    void list_withoutParameters_returnsTheFirst20() {
        Response page = list("");

        page.then()
                .spec(metered())
                .statusCode(200)
                .header("Content-Type", startsWith("application/json"))
                .header("Link", matchesPattern(nextLink("limit=20")));
        assertThat(
                page.jsonPath().getList("id", Long.class),
                equalTo(TestDatabase.query("select id from " + listed.table() + " order by id limit 20")));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 99, 100})
    void list_ofLimit_returnsThatNumberOfItems(int limit) {
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
                "5&limit=6",
                "null"
            })
    void list_ofInvalidLimit_isRefused(String limit) {
        assertRefused("?limit=" + limit, startsWith("limit "));
    }

    @Test
    void list_ofInvalidLimit_namesTheBounds() {
        list("?limit=101").then().body("message", equalTo("limit must be a whole number from 1 to 100."));
    }

    @ParameterizedTest
    @MethodSource("statuses")
    void list_ofStatus_returnsThatStatusOnly(String status) {
        listed.add(3, status);

        list("?limit=3&status=" + status)
                .then()
                .statusCode(200)
                .body("$", hasSize(3))
                .body("status", everyItem(equalTo(status)));
    }

    @ParameterizedTest
    @MethodSource("noStatuses")
    void list_ofInvalidStatus_isRefused(String status) {
        assertRefused("?status=" + status, startsWith("status "));
    }

    List<String> statuses() {
        return listed.statuses();
    }

    Stream<String> noStatuses() {
        return Stream.of(
                "",
                few.substring(0, 1).toUpperCase(Locale.ROOT) + few.substring(1),
                few.toUpperCase(Locale.ROOT),
                few + "%20",
                "lost",
                listed.other().statuses().get(0),
                few + "," + many,
                few + "&status=" + many,
                few + "&status=" + few,
                "null");
    }

    @Test
    void list_ofUnknownParameter_ignoresIt() {
        list("?limit=1&colour=red").then().statusCode(200).body("$", hasSize(1));
    }

    @Test
    void list_head_returnsTheHeadersOnly() {
        key.given()
                .head(listed.path() + "?limit=1")
                .then()
                .spec(metered())
                .statusCode(200)
                .header("Content-Type", startsWith("application/json"))
                .header("Link", matchesPattern(nextLink("limit=1")))
                .body(equalTo(""));
    }
}
