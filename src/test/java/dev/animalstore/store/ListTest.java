package dev.animalstore.store;

import static dev.animalstore.fixture.Responses.error;
import static dev.animalstore.fixture.Responses.metered;
import static dev.animalstore.fixture.Responses.text;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The two lists of the API: their parameters, walks, cursors and links. The tests share a database, so they rely on the rows that they add,
 * and not on the absence of others.
 */
@QuarkusTest
public class ListTest {
    private static TestKey key;

    @BeforeAll
    static void issueKeyAndAddRows() {
        key = TestKey.unlimited();
        for (Listed listed : Listed.values()) {
            listed.add(110, listed.many);
            listed.add(2, listed.few);
        }
    }

    @ParameterizedTest
    @EnumSource
    void list_withoutParameters_returnsTheFirst20AndToHeadTheirHeaders(Listed listed) {
        Response page = list(listed, "");

        List<Long> first = TestDatabase.query("select id from " + listed.table + " order by id limit 20");
        assertThat(ids(List.of(page)), equalTo(first));
        for (Response each : List.of(page, key.given().head(listed.path))) {
            each.then()
                    .spec(metered())
                    .statusCode(200)
                    .header("Content-Type", startsWith("application/json"))
                    .header("Link", matchesPattern(nextLink(listed, "limit=20")))
                    .body(each == page ? not(equalTo("")) : equalTo(""));
        }
    }

    @ParameterizedTest
    @EnumSource
    void list_ofLimit_returnsThatNumberOfItems(Listed listed) {
        for (int limit : new int[] {1, 2, 99, 100}) {
            list(listed, "?limit=" + limit)
                    .then()
                    .statusCode(200)
                    .body("$", hasSize(limit))
                    .header("Link", matchesPattern(nextLink(listed, "limit=" + limit)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void list_ofStatus_returnsThatStatusOnlyAndLinksToTheNextPageOfItOfAnyLimit(Listed listed) {
        for (String status : List.of(listed.many, listed.few, listed.other)) {
            listed.add(4, status);
            Response first = list(listed, "?status=" + status + "&limit=3");
            first.then()
                    .statusCode(200)
                    .body("status", everyItem(equalTo(status)))
                    .header("Link", matchesPattern(nextLink(listed, "limit=3&status=" + status)));
            Response second = list(listed, "?status=" + status + "&limit=1&cursor=" + cursor(first));
            List<Long> rows = TestDatabase.query("select id from " + listed.rowsOf(status) + " order by id limit 4");
            assertThat(ids(List.of(first, second)), equalTo(rows));
        }
    }

    @ParameterizedTest
    @CsvSource({"PETS, false", "PETS, true", "ORDERS, false", "ORDERS, true"})
    void walk_whileRowsAreInserted_returnsEachRowOnceInOrder(Listed listed, boolean filtered) {
        String query = "limit=100" + (filtered ? "&status=" + listed.many : "");
        List<Long> expected = new ArrayList<>(listed.add(320, listed.many));

        List<Response> pages = walk(listed, query, () -> expected.addAll(listed.add(1, listed.many)));

        List<Long> ids = ids(pages);
        assertThat(pages.size(), greaterThan(3));
        assertThat(ids, equalTo(ids.stream().distinct().sorted().toList()));
        assertThat(ids.subList(ids.size() - expected.size(), ids.size()), equalTo(expected));
        for (Response page : pages.subList(0, pages.size() - 1)) {
            page.then().body("$", hasSize(100)).header("Link", matchesPattern(nextLink(listed, query)));
        }
        pages.get(pages.size() - 1).then().header("Link", nullValue());
    }

    @ParameterizedTest
    @EnumSource
    void walk_toALastPageThatIsFull_endsThere(Listed listed) {
        long there = TestDatabase.number("select count(*) from " + listed.rowsOf(listed.few));
        listed.add((int) (200 - there % 100), listed.few);

        List<Response> pages = walk(listed, "limit=100&status=" + listed.few, () -> {});

        pages.get(pages.size() - 1).then().body("$", hasSize(100)).header("Link", nullValue());
    }

    @ParameterizedTest
    @EnumSource
    void list_afterTheLastRow_isEmpty(Listed listed) {
        String few = listed.rowsOf(listed.few);
        String cursor = cursor(list(listed, "?limit=1&status=" + listed.few));
        TestDatabase.changePets("delete from " + few + " and id > (select min(id) from " + few + ")");

        Response page = list(listed, "?status=" + listed.few + "&cursor=" + cursor);

        page.then().spec(metered()).statusCode(200).header("Link", nullValue());
        assertThat(text(page), equalTo("[]"));
        listed.add(2, listed.few);
    }

    @ParameterizedTest
    @CsvSource({
        "PETS, limit=1&status=pending, PETS, status=sold",
        "PETS, limit=1, ORDERS, limit=1",
        "ORDERS, limit=1&status=placed, ORDERS, limit=1"
    })
    void list_ofCursorOfAnotherListOrFilter_isRefused(Listed from, String made, Listed to, String used) {
        String cursor = cursor(list(from, "?" + made));

        assertRefused("cursor", list(to, "?" + used + "&cursor=" + cursor));
    }

    static Stream<Arguments> invalidParameters() {
        String forms = "limit=0 limit= limit=5%00 limit=20&limit=20 limit=%205"
                + " cursor= cursor=%00 cursor=AAAAAAAAAAAAAAAA cursor=A&cursor=A"
                + " status= status=null status=lost status=Sold status=PLACED status=FEW%20 status=FEW,FEW status=FEW&status=FEW";
        return Stream.of(Listed.values())
                .flatMap(listed ->
                        Stream.of(forms.replace("FEW", listed.few).split(" ")).map(query -> arguments(listed, query)));
    }

    @ParameterizedTest
    @MethodSource("invalidParameters")
    void list_ofInvalidParameter_isRefusedByItsName(Listed listed, String query) {
        assertRefused(query.substring(0, query.indexOf('=')), list(listed, "?" + query));
    }

    private static void assertRefused(String parameter, Response response) {
        response.then()
                .spec(error(400, "invalid_parameter"))
                .header("Link", nullValue())
                .body("message", startsWith(parameter + " "));
    }

    private static Response list(Listed listed, String query) {
        return key.given().urlEncodingEnabled(false).get(listed.path + query);
    }

    /** Follows the {@code next} links from the first page, with an action before each further page. */
    private static List<Response> walk(Listed listed, String query, Runnable between) {
        Response page = list(listed, "?" + query);
        List<Response> pages = new ArrayList<>(List.of(page));
        for (String next = next(page); !next.isEmpty(); next = next(page)) {
            between.run();
            page = key.given().urlEncodingEnabled(false).get(next);
            pages.add(page);
        }
        return pages;
    }

    private static List<Long> ids(List<Response> pages) {
        return pages.stream()
                .flatMap(page -> page.jsonPath().getList("id", Long.class).stream())
                .toList();
    }

    private static String cursor(Response page) {
        return next(page).replaceFirst(".*&cursor=", "");
    }

    private static String next(Response page) {
        String link = page.header("Link");
        return link == null ? "" : link.replaceFirst("<(.+)>; rel=\"next\"", "$1");
    }

    private static String nextLink(Listed listed, String query) {
        return "<http://localhost:" + RestAssured.port + listed.path + "\\?" + query
                + "&cursor=[A-Za-z0-9_-]{16}>; rel=\"next\"";
    }

    /** A list, with its path, the table of its rows, a status of many rows, one of few, and another one. */
    private enum Listed {
        PETS("/v1/pets", "pet", "pending", "sold", "available"),
        ORDERS("/v1/store/orders", "store_order", "placed", "approved", "delivered");

        private final String path;
        private final String table;
        private final String many;
        private final String few;
        private final String other;

        Listed(String path, String table, String many, String few, String other) {
            this.path = path;
            this.table = table;
            this.many = many;
            this.few = few;
            this.other = other;
        }

        List<Long> add(int count, String status) {
            return this == PETS ? TestDatabase.addPets(count, status) : TestDatabase.addOrders(count, status);
        }

        String rowsOf(String status) {
            return table + " where status = '" + status + "'";
        }
    }
}
