package dev.animalstore.page;

import static dev.animalstore.fixture.Responses.error;
import static dev.animalstore.fixture.Responses.metered;
import static dev.animalstore.fixture.Responses.text;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.animalstore.fixture.PageWalker;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hamcrest.Matcher;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of the pages of each list of the API: walks, cursors and links. The tests share a database, so they rely on the rows that they add,
 * and not on the absence of others.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PagingTest {
    final Listed listed;
    final String many;
    final String few;
    TestKey key;

    PagingTest(Listed listed) {
        this.listed = listed;
        many = listed.statuses().get(0);
        few = listed.statuses().get(1);
    }

    @BeforeAll
    void issueKeyAndAddRows() {
        key = TestKey.unlimited();
        listed.add(110, many);
        listed.add(2, few);
    }

    @Test
    void list_filtered_linksToTheNextPageOfThatFilter() {
        list("?status=" + many + "&limit=5").then().header("Link", matchesPattern(nextLink("limit=5&status=" + many)));
    }

    @Test
    void list_ofAnotherHost_linksToThatHost() {
        key.given()
                .header("Host", "animals.example")
                .get(listed.path() + "?limit=1")
                .then()
                .header("Link", startsWith("<http://animals.example" + listed.path() + "?limit=1&cursor="));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void walk_whileRowsAreInserted_returnsEachRowOnceInOrder(boolean filtered) {
        String query = "limit=100" + (filtered ? "&status=" + many : "");
        List<Long> expected = new ArrayList<>(listed.add(320, many));

        List<Response> pages =
                PageWalker.pages(key, listed.path() + "?" + query, () -> expected.addAll(listed.add(1, many)));

        List<Long> ids = PageWalker.ids(pages);
        assertThat(pages.size(), greaterThan(3));
        assertThat(ids, equalTo(ids.stream().distinct().sorted().toList()));
        assertThat(ids.subList(ids.size() - expected.size(), ids.size()), equalTo(expected));
        for (Response page : pages.subList(0, pages.size() - 1)) {
            page.then().body("$", hasSize(100)).header("Link", matchesPattern(nextLink(query)));
        }
        pages.get(pages.size() - 1).then().header("Link", nullValue());
    }

    @Test
    void walk_toALastPageThatIsFull_endsThere() {
        long there = TestDatabase.query("select count(*) from " + rowsOf(few)).get(0);
        listed.add((int) (200 - there % 100), few);

        List<Response> pages = PageWalker.pages(key, listed.path() + "?limit=100&status=" + few);

        pages.get(pages.size() - 1).then().body("$", hasSize(100)).header("Link", nullValue());
    }

    @Test
    void list_afterTheLastRow_isEmpty() {
        String cursor = PageWalker.cursor(list("?limit=1&status=" + few));
        TestDatabase.changePets("delete from " + rowsOf(few) + " and id > (select min(id) from " + rowsOf(few) + ")");

        Response page = list("?status=" + few + "&cursor=" + cursor);

        page.then().spec(metered()).statusCode(200).header("Link", nullValue());
        assertThat(text(page), equalTo("[]"));
    }

    @Test
    void list_ofCursorWithAnotherLimit_continuesThere() {
        Response first = list("?limit=2&status=" + many);

        Response second = list("?limit=3&status=" + many + "&cursor=" + PageWalker.cursor(first));

        List<Long> rows = TestDatabase.query("select id from " + rowsOf(many) + " order by id limit 5");
        assertThat(PageWalker.ids(List.of(first, second)), equalTo(rows));
    }

    @ParameterizedTest
    @MethodSource("unequalFilters")
    void list_ofCursorOfAnotherFilter_isRefused(String made, String used) {
        String cursor = PageWalker.cursor(list("?limit=1" + made));

        assertRefused("?cursor=" + cursor + used, startsWith("cursor "));
    }

    Stream<Arguments> unequalFilters() {
        return Stream.of(
                arguments("&status=" + many, "&status=" + few),
                arguments("&status=" + many, ""),
                arguments("", "&status=" + many));
    }

    @Test
    void list_ofCursorOfAnotherList_isRefused() {
        listed.other().add(2, listed.other().statuses().get(0));
        String cursor = PageWalker.cursor(key.given().get(listed.other().path() + "?limit=1"));

        assertRefused("?cursor=" + cursor, startsWith("cursor "));
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
        String cursor = PageWalker.cursor(list("?limit=1"));

        assertRefused("?cursor=" + form.formatted(cursor), containsString("cursor"));
    }

    @Test
    void list_ofCursorWithOneOtherCharacter_isRefused() {
        String cursor = PageWalker.cursor(list("?limit=1"));
        char last = cursor.charAt(15);

        assertRefused("?cursor=" + cursor.substring(0, 15) + (last == 'A' ? 'B' : 'A'), startsWith("cursor "));
    }

    final void assertRefused(String query, Matcher<String> message) {
        list(query)
                .then()
                .spec(error(400, "invalid_parameter"))
                .header("Link", nullValue())
                .body("message", message);
    }

    final Response list(String query) {
        return key.given().urlEncodingEnabled(false).get(listed.path() + query);
    }

    private String rowsOf(String status) {
        return listed.table() + " where status = '" + status + "'";
    }

    final String nextLink(String query) {
        return "<http://localhost:" + RestAssured.port + listed.path() + "\\?" + query
                + "&cursor=[A-Za-z0-9_-]{16}>; rel=\"next\"";
    }
}
