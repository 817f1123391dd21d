package dev.animalstore.operator.api;

import static dev.animalstore.fixture.Operator.refusal;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.Visitor;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
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

/** Usage as operators read it, in pages and as a CSV file. No other test uses days of 2999. */
@QuarkusTest
class UsageResourceTest {
    private static final String YEAR = "?from=2999-01-01&to=2999-12-31";
    private static final String HEADER = "key,owner,plan,day,admitted,refused,banned\r\n";

    private final TestKey key = TestKey.of("free");

    @AfterEach
    void removeUsage() {
        TestDatabase.execute("delete from usage_day where day >= '2999-01-01' or key_id = " + key.id());
    }

    @Test
    void keyUsage_ofSomeDays_showsTheDaysWithRequestsInOrderAlsoOfARevokedKey() {
        add(key, "2999-03-02", 5, 1, 0);
        add(key, "2999-03-01", 7, 2, 3);
        add(key, "2999-02-28", 1, 0, 0);
        add(TestKey.of("pro"), "2999-03-01", 100, 0, 0);
        Operator.revoke(key).statusCode(204);

        Response days = keyUsage("?from=2999-03-01&to=2999-03-31");
        days.then().statusCode(200).contentType("application/json").header("Cache-Control", "no-store");
        assertThat(days.asString(), equalTo("""
                [{"day":"2999-03-01","admitted":7,"refused":2,"banned":3},\
                {"day":"2999-03-02","admitted":5,"refused":1,"banned":0}]"""));
    }

    @Test
    void keyUsage_withoutDays_showsThe30DaysUpToToday() {
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        add(key, today.minusDays(30).toString(), 1, 0, 0);
        add(key, today.minusDays(29).toString(), 2, 0, 0);
        add(key, today.toString(), 3, 0, 0);

        keyUsage("").then().statusCode(200).body("admitted", contains(2, 3));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            from=2026-02-30               | FORM
            from=2026-1-1                 | FORM
            from=1969-12-31&to=1970-01-01 | FORM
            to=2026-01-01T00:00:00Z       | FORM
            to=+2026-01-01                | FORM
            to=%D9%A2026-01-01            | FORM
            to=12026-01-01                | FORM
            to=today                      | FORM
            from=                         | from must be given once, must not be empty, and must not contain NUL.
            to=2026-01-01&to=2026-01-01   | to must be given once, must not be empty, and must not contain NUL.
            from=2026-01-02&to=2026-01-01 | from must not be after to, which is 2026-01-01.
            month=2026-13                 | MONTH
            month=2026-1                  | MONTH
            month=1969-12                 | MONTH
            month=2026-10-01              | MONTH
            month=                        | month must be given once, must not be empty, and must not contain NUL.
            month=2026-10&to=2026-10-31   | month must be given without from and to.
            from=2026-10-01&month=2026-10 | month must be given without from and to.
            from=2025-01-01&to=2026-02-05 | from and to must span at most 400 days, both inclusive.
            """)
    void usage_ofBadDays_isRefused(String query, String message) {
        String expected = message.replace(
                        "FORM", "from and to must be days from 1970-01-01 to 9999-12-31, as YYYY-MM-DD.")
                .replace("MONTH", "month must be from 1970-01 to 9999-12, as YYYY-MM.");
        for (Response response : List.of(keyUsage("?" + query), usage("?" + query), csv("?" + query))) {
            response.then().spec(refusal(400, "invalid_parameter", equalTo(expected)));
        }
    }

    @Test
    void usage_ofAMonth_hasAllOfItsDays() {
        add(key, "2999-01-31", 1, 0, 0);
        add(key, "2999-02-01", 2, 0, 0);
        add(key, "2999-02-28", 3, 0, 0);
        add(key, "2999-03-01", 4, 0, 0);
        keyUsage("?month=2999-02").then().statusCode(200).body("admitted", contains(2, 3));
        usage("?month=2999-02").then().statusCode(200).body("admitted", contains(2, 3));
        csv("?month=2999-02")
                .then()
                .statusCode(200)
                .header("Content-Disposition", "attachment; filename=\"usage-2999-02-01-2999-02-28.csv\"")
                .body(equalTo(HEADER + key.id() + ",test,free,2999-02-01,2,0,0\r\n" + key.id()
                        + ",test,free,2999-02-28,3,0,0\r\n"));
    }

    /** Of the key before and after it there is usage too. */
    @Test
    void csv_ofAMonthInTheConsole_isThatOfAllKeysOrOfOne() {
        TestKey next = TestKey.of("pro");
        TestKey last = TestKey.of("free");
        List.of(key, next, last).forEach(each -> add(each, "2999-02-01", each.id(), 0, 0));
        add(next, "2999-03-01", 1, 0, 0);
        String line = next.id() + ",test,pro,2999-02-01," + next.id() + ",0,0\r\n";
        Visitor visitor = Visitor.signIn();
        visitor.get("/console").body(containsString("action=\"/console/usage\""));
        visitor.get("/console/keys/" + next.id())
                .body(containsString("action=\"/console/keys/" + next.id() + "/usage\""));

        visitor.get("/console/usage?month=2999-02")
                .statusCode(200)
                .header("Content-Type", "text/csv;charset=UTF-8;header=present")
                .header("Cache-Control", "no-store")
                .body(startsWith(HEADER), containsString("\r\n" + line), not(containsString("2999-03-01")));
        visitor.get("/console/keys/" + next.id() + "/usage?month=2999-02")
                .statusCode(200)
                .header(
                        "Content-Disposition",
                        "attachment; filename=\"usage-of-key-" + next.id() + "-2999-02-01-2999-02-28.csv\"")
                .body(equalTo(HEADER + line));
        visitor.get("/console/usage?month=x").statusCode(400);
        Visitor.fromOwnPage().get("/console/usage?month=2999-02").then().statusCode(303);
    }

    @Test
    void usage_of400Days_isShown() {
        keyUsage("?from=2025-01-01&to=2026-02-04").then().statusCode(200);
        usage("?from=2025-01-01&to=2026-02-04").then().statusCode(200);
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
    void usage_ofManyKeys_leadsFromPageToPageOfThoseDays(String days) {
        List<String> expected = addMany(9).stream()
                .filter(row -> days.equals(YEAR) || row.contains("03-01"))
                .toList();
        List<String> walked = new ArrayList<>();
        String link = "</admin/usage" + days + "&limit=4>";
        while (link != null) {
            Response page = get(link.replaceFirst("<(.*)>.*", "$1"), "*/*");
            page.then().statusCode(200).contentType("application/json");
            page.jsonPath().<Object>getList("$").forEach(row -> walked.add(row.toString()));
            link = page.header("Link");
            if (link != null) {
                assertThat(
                        link,
                        matchesPattern("<http://localhost:[0-9]+/admin/usage\\?limit=4&from=[0-9-]{10}"
                                + "&to=[0-9-]{10}&cursor=[A-Za-z0-9_-]{16}>; rel=\"next\""));
                String ofOtherDays = link.replaceFirst("<(.*)>.*", "$1").replaceFirst("to=[0-9-]{10}", "to=2999-03-09");
                get(ofOtherDays, "*/*").then().statusCode(400);
            }
        }
        assertThat(walked, equalTo(expected));
    }

    /** Some were deleted by SQL, which leaves their usage without an owner. */
    @Test
    void usage_ofKeysOfWhichSomeAreGone_isWholeOnThePagesAndInTheFile() {
        List<Long> ids = TestDatabase.query(
                "insert into api_key (owner, plan) select 'csv', 'free' from generate_series(1, 3000) returning id");
        TestDatabase.execute("insert into usage_day (key_id, day, plan, admitted, refused, banned)"
                + " select id, '2999-05-05', plan, id, 1, 2 from api_key where owner = 'csv'");
        List<Long> deleted = List.of(ids.get(50), ids.get(500));
        deleted.forEach(id -> TestDatabase.execute("delete from api_key where id = " + id));
        List<Long> rest = ids.stream().filter(id -> !deleted.contains(id)).toList();
        try {
            StringBuilder expected = new StringBuilder(HEADER);
            rest.forEach(id -> expected.append(id + ",csv,free,2999-05-05," + id + ",1,2\r\n"));
            for (String days : List.of("?from=2999-05-05&to=2999-05-05", YEAR)) {
                assertThat(csv(days).asString(), equalTo(expected.toString()));
                assertThat(keys("/admin/usage" + days + "&limit=100"), equalTo(rest));
            }
        } finally {
            TestDatabase.execute(
                    "delete from usage_day where day = '2999-05-05'; delete from api_key where owner = 'csv'");
        }
    }

    private static List<Long> keys(String first) {
        List<Long> keys = new ArrayList<>();
        for (String link = first; link != null; ) {
            Response page = get(link, "*/*");
            keys.addAll(page.then().statusCode(200).extract().jsonPath().getList("key", Long.class));
            String next = page.header("Link");
            link = next == null ? null : next.replaceFirst("<(.*)>.*", "$1");
        }
        return keys;
    }

    @Test
    void csv_always_isAFileOfItsOwnName() {
        assertThat(csv(YEAR).asString(), equalTo(HEADER));
        add(key, "2999-03-01", 1, 0, 0);
        key.update("owner = '=1,2'");

        Response file = csv(YEAR + "&limit=nonsense");

        file.then()
                .statusCode(200)
                .header("Content-Type", "text/csv;charset=UTF-8;header=present")
                .header("Content-Disposition", "attachment; filename=\"usage-2999-01-01-2999-12-31.csv\"")
                .header("Cache-Control", "no-store")
                .header("Link", nullValue());
        assertThat(file.asString(), equalTo(HEADER + key.id() + ",\"'=1,2\",free,2999-03-01,1,0,0\r\n"));
        Operator.given()
                .accept("text/csv")
                .head("/admin/usage" + YEAR)
                .then()
                .statusCode(200)
                .header("Content-Type", "text/csv;charset=UTF-8;header=present")
                .body(equalTo(""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            */*                                    | application/json
            Text/CSV                               | text/csv
            text/csv, */*;q=0.1                    | text/csv
            text/csv;a="                           | text/csv
            application/json, text/csv             | application/json
            text/html                              | application/json
            garbage                                | application/json
            """)
    void usage_ofAnAccept_isOfTheTypeThatItNamesFirst(String accept, String type) {
        for (String path : List.of("/admin/usage", "/admin/usage/")) {
            get(path + YEAR, accept).then().statusCode(200).header("Content-Type", startsWith(type));
        }
    }

    /** Adds rows of two days for some keys and returns them as they are shown. */
    private static List<String> addMany(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> TestKey.of("pro"))
                .flatMap(each -> Stream.of("2999-03-01", "2999-03-02").map(day -> {
                    add(each, day, each.id(), 0, 4);
                    return "{key=%1$d, owner=test, plan=pro, day=%2$s, admitted=%1$d, refused=0, banned=4}"
                            .formatted(each.id(), day);
                }))
                .toList();
    }

    private static void add(TestKey key, String day, long admitted, long refused, long banned) {
        TestDatabase.execute(
                "insert into usage_day (key_id, day, plan, admitted, refused, banned) select id, '%s', plan, %d, %d, %d from api_key where id = %d"
                        .formatted(day, admitted, refused, banned, key.id()));
    }

    private Response keyUsage(String query) {
        return get(Operator.path(key) + "/usage" + query, "*/*");
    }

    private static Response usage(String query) {
        return get("/admin/usage" + query, "*/*");
    }

    private static Response csv(String query) {
        return get("/admin/usage" + query, "text/csv");
    }

    /** The content type is malformed, which says nothing about a request without a body. */
    private static Response get(String address, String accept) {
        return Operator.given()
                .urlEncodingEnabled(false)
                .headers("Accept", accept, "Content-Type", "nonsense")
                .get(address);
    }
}
