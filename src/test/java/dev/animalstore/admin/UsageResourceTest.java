package dev.animalstore.admin;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.startsWith;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Usage as operators read it. No other test uses days of 2999. */
@QuarkusTest
class UsageResourceTest {
    private static final String YEAR = "?from=2999-01-01&to=2999-12-31";

    private final TestKey key = TestKey.of("free");

    @AfterEach
    void removeUsage() {
        TestDatabase.execute("delete from usage_day where day >= '2999-01-01' or key_id = " + key.id());
    }

    @Test
    void keyUsage_ofSomeDays_showsTheDaysWithRequestsInOrder() {
        add(key, "2999-03-02", 5, 1, 0);
        add(key, "2999-03-01", 7, 2, 3);
        add(key, "2999-02-28", 1, 0, 0);
        add(TestKey.of("pro"), "2999-03-01", 100, 0, 0);

        ValidatableResponse days = keyUsage("?from=2999-03-01&to=2999-03-31")
                .statusCode(200)
                .contentType("application/json")
                .header("Cache-Control", "no-store");

        assertThat(days.extract().asString(), equalTo("""
                [{"day":"2999-03-01","admitted":7,"refused":2,"banned":3},\
                {"day":"2999-03-02","admitted":5,"refused":1,"banned":0}]"""));
    }

    @Test
    void keyUsage_withoutDays_showsThe30DaysUpToToday() {
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        add(key, today.minusDays(30).toString(), 1, 0, 0);
        add(key, today.minusDays(29).toString(), 2, 0, 0);
        add(key, today.toString(), 3, 0, 0);

        keyUsage("").statusCode(200).body("admitted", contains(2, 3));
    }

    @Test
    void keyUsage_ofARevokedKey_isShown() {
        add(key, "2999-03-01", 7, 2, 3);
        Operator.revoke(key).statusCode(204);

        keyUsage(YEAR).statusCode(200).body("admitted", contains(7));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "999999999999", "x", "-1", "1x"})
    void keyUsage_ofNoKey_isNotFound(String id) {
        Operator.refused(Operator.given().get("/admin/keys/" + id + "/usage").then(), 404, "not_found", endsWith("."));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            from=2026-02-30                  | from must be a day from 1970-01-01 to 9999-12-31, as YYYY-MM-DD.
            from=2026-1-1                    | from must be a day from 1970-01-01 to 9999-12-31, as YYYY-MM-DD.
            from=1969-12-31&to=1970-01-01    | from must be a day from 1970-01-01 to 9999-12-31, as YYYY-MM-DD.
            from=                            | from must be a day from 1970-01-01 to 9999-12-31, as YYYY-MM-DD.
            to=2026-01-01T00:00:00Z          | to must be a day from 1970-01-01 to 9999-12-31, as YYYY-MM-DD.
            to=+2026-01-01                   | to must be a day from 1970-01-01 to 9999-12-31, as YYYY-MM-DD.
            to=%D9%A2026-01-01               | to must be a day from 1970-01-01 to 9999-12-31, as YYYY-MM-DD.
            to=12026-01-01                   | to must be a day from 1970-01-01 to 9999-12-31, as YYYY-MM-DD.
            to=today                         | to must be a day from 1970-01-01 to 9999-12-31, as YYYY-MM-DD.
            to=2026-01-01&to=2026-01-01      | to is given more than once.
            from=2026-01-02&to=2026-01-01    | from must not be after to, which is 2026-01-01.
            from=2025-01-01&to=2026-02-05    | from and to must span at most 400 days, both inclusive.
            """)
    void usage_ofBadDays_isRefused(String query, String message) {
        Operator.refused(keyUsage("?" + query), 400, "invalid_parameter", equalTo(message));
        Operator.refused(usage("?" + query).then(), 400, "invalid_parameter", equalTo(message));
        Operator.refused(csv("?" + query).then(), 400, "invalid_parameter", equalTo(message));
    }

    @Test
    void usage_of400Days_isShown() {
        keyUsage("?from=2025-01-01&to=2026-02-04").statusCode(200);
        usage("?from=2025-01-01&to=2026-02-04&colour=red").then().statusCode(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=101", "limit=", "limit=1&limit=2", "cursor=", "cursor=AAAAAAAAAAAAAAAA"})
    void usage_ofABadPage_isRefused(String query) {
        Operator.refused(
                usage("?" + query).then(), 400, "invalid_parameter", startsWith(query.replaceFirst("=.*", "") + " "));
    }

    @Test
    void usage_withoutTheToken_isRefused() {
        RestAssured.get("/admin/usage").then().statusCode(401);
        RestAssured.get("/admin/keys/" + key.id() + "/usage").then().statusCode(401);
        key.given().accept("text/csv").get("/admin/usage").then().statusCode(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/admin/usage", "/admin/keys/1/usage"})
    void usage_byAnotherMethod_isNotAllowed(String path) {
        Operator.given()
                .delete(path)
                .then()
                .statusCode(405)
                .header("Allow", "GET, HEAD, OPTIONS")
                .body("code", equalTo("method_not_allowed"));
    }

    @Test
    void usage_ofToday_isTheDefault() {
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        add(key, today.minusDays(1).toString(), 1, 0, 0);
        add(key, today.toString(), 123_456_789, 1, 2);

        usage("?limit=100").then().statusCode(200).body("findAll{it.day!='" + today + "'}", hasSize(0));
        assertThat(csv("").asString(), containsString(key.id() + ",test,free," + today + ",123456789,1,2\r\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"?from=2999-03-01&to=2999-03-01", YEAR})
    void usage_ofManyKeys_leadsFromPageToPage(String days) {
        List<String> expected = addMany(9).stream()
                .filter(row -> days.equals(YEAR) || row.contains("03-01"))
                .toList();
        List<String> walked = new ArrayList<>();

        String next = "/admin/usage" + days + "&limit=4";
        while (next != null) {
            Response page = Operator.given().urlEncodingEnabled(false).get(next);
            page.then().statusCode(200).contentType("application/json");
            page.jsonPath().<Object>getList("$").forEach(row -> walked.add(row.toString()));
            String link = page.header("Link");
            if (link != null) {
                assertThat(
                        link,
                        matchesPattern("<http://localhost:[0-9]+/admin/usage\\?limit=4&from=[0-9-]{10}"
                                + "&to=[0-9-]{10}&cursor=[A-Za-z0-9_-]{16}>; rel=\"next\""));
            }
            next = link == null ? null : address(link);
        }

        assertThat(walked, equalTo(expected));
    }

    @Test
    void usage_ofACursorOfOtherDays_isRefused() {
        addMany(2);
        String next = address(usage("?from=2999-03-01&to=2999-03-02&limit=1").header("Link"));

        Operator.refused(
                Operator.given()
                        .urlEncodingEnabled(false)
                        .get(next.replace("to=2999-03-02", "to=2999-03-03"))
                        .then(),
                400,
                "invalid_parameter",
                startsWith("cursor is damaged"));
    }

    /** Adds rows of two days for some keys and returns them as they are shown. */
    private static List<String> addMany(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> TestKey.of("pro"))
                .flatMap(each -> Stream.of("2999-03-01", "2999-03-02").map(day -> {
                    add(each, day, each.id(), 0, 4);
                    return "{key=" + each.id() + ", owner=test, plan=pro, day=" + day + ", admitted=" + each.id()
                            + ", refused=0, banned=4}";
                }))
                .toList();
    }

    private static void add(TestKey key, String day, long admitted, long refused, long banned) {
        TestDatabase.execute(
                "insert into usage_day (key_id, day, admitted, refused, banned) values (%d, '%s', %d, %d, %d)"
                        .formatted(key.id(), day, admitted, refused, banned));
    }

    private static String address(String link) {
        return link.replaceFirst("<(.*)>.*", "$1");
    }

    private ValidatableResponse keyUsage(String query) {
        return Operator.given()
                .urlEncodingEnabled(false)
                .get(Operator.path(key) + "/usage" + query)
                .then();
    }

    private static Response usage(String query) {
        return Operator.given().urlEncodingEnabled(false).get("/admin/usage" + query);
    }

    private static Response csv(String query) {
        return Operator.given().urlEncodingEnabled(false).accept("text/csv").get("/admin/usage" + query);
    }
}
