package dev.animalstore.operator.console;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.Visitor;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which forms the console accepts, and the form that issues a key. */
@QuarkusTest
class ConsoleFormsTest extends SignedIn {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String ISSUE = "/console/issue";
    private static final String[] PATHS = {
        "issue", "keys/1/change", "keys/1/rotation", "keys/1/suspension", "keys/1/suspension/lift",
        "keys/1/revocation", "keys/1/ban/lift", "keys/lookup", "sign-in", "sign-out"
    };

    private final String owner = "Owner " + UUID.randomUUID();

    @Test
    void issue_filledIn_showsTheKeyOnceAndItWorks() {
        Map<String, String> hidden = visitor.hiddenFields(ISSUE, ISSUE);
        Map<String, String> typed = Map.of(
                "owner", owner,
                "plan", "enterprise",
                "limits.perMinute", "7",
                "limits.perDay", "1,070",
                "expiresAt", "2999-12-05T10:30");
        ValidatableResponse issued = visitor.send(ISSUE, hidden, typed);
        issued.statusCode(201).contentType("text/html;charset=UTF-8").header("Cache-Control", "no-store");
        TestKey key = new TestKey(issuedKey(), Visitor.secret(issued));
        key.given().get("/v1/samples").then().statusCode(200).header("X-RateLimit-Limit", "7");
        Operator.show(key).body("limits.perDay", equalTo(1070)).body("expiresAt", equalTo("2999-12-05T10:30:00Z"));

        visitor.send(ISSUE, hidden, typed)
                .statusCode(409)
                .body(containsString("issued <a href=\"/console/keys/" + key.id() + "\">key " + key.id() + "</a>"))
                .body(not(containsString("ask_test_")));
        assertEquals(key.id(), issuedKey());
        visitor.get("/console/keys/" + key.id())
                .statusCode(200)
                .body(containsString(owner))
                .body(containsString("7 requests per minute"))
                .body(not(containsString(key.text())));
    }

    @Test
    void issue_whileTheDatabaseIsLocked_canBeSentAgainByAReload() {
        Map<String, String> hidden = visitor.hiddenFields(ISSUE, ISSUE);
        Map<String, String> typed = Map.of("owner", owner, "plan", "free");
        TestDatabase.during(
                "lock table console_form in share mode",
                () -> visitor.send(ISSUE, hidden, typed)
                        .statusCode(503)
                        .contentType("text/html;charset=UTF-8")
                        .body(containsString("Reload this page to send the form again, as it was filled in.")));
        visitor.send(ISSUE, hidden, typed).statusCode(201);
        issuedKey();
    }

    /** The fields are converted to the members of {@code /admin}, whose other bounds RefusedInputTest shows. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ' ' | free       |     |     |          | owner            | Owner         | must not be blank.
            O   | gold       |     |     |          | plan             | Plan          | must be one of free, pro, business, enterprise.
            O   | free       | 1   | 1   |          | limits           | Limits        | must be empty: the plan free has its own.
            O   | enterprise |     |     |          | limits           | Limits        | are required: the plan enterprise has none.
            O   | enterprise | 7   |     |          | limits.perDay    | Per day       | is required.
            O   | enterprise | x   | 1   |          | limits.perMinute | Per minute    | must be an integer.
            O   | enterprise | 1,20 | 1  |          | limits.perMinute | Per minute    | must be an integer.
            O   | enterprise | 007 | 1   |          | limits.perMinute | Per minute    | must be an integer.
            O   | enterprise | 1   | 99999999999999999999 | | limits.perDay | Per day      | must be from 1 to 2147483647.
            O   | free       |     |     | tomorrow | expiresAt        | Expires (UTC) | must be a date and time such as 2030-12-05T00:00.
            O   | free       |     |     | 2001-12-05T00:00:00Z | expiresAt | Expires (UTC) | must be in the future.
            """)
    void issue_withInvalidInput_saysSoOnceBesideTheFieldByItsLabelAndKeepsTheInput(
            String name,
            String plan,
            String perMinute,
            String perDay,
            String expiresAt,
            String field,
            String label,
            String error) {
        Map<String, String> typed = Map.of(
                "owner", name,
                "plan", plan,
                "limits.perMinute", text(perMinute),
                "limits.perDay", text(perDay),
                "expiresAt", text(expiresAt));
        String page = visitor.submit(ISSUE, typed)
                .statusCode(400)
                .body(containsString(
                        "<span class=\"error\" id=\"" + field + "-error\">" + label + " " + error + "</span>"))
                .body(containsString("Nothing was changed. Correct <a href=\"#" + field + "\">" + label + "</a>.</p>"))
                .body(matchesPattern("(?s).* id=\"" + field + "\"[^>]* aria-describedby=\"" + field + "-error\".*"))
                .body(matchesPattern("(?s).*<(label for=\"" + field + "\"|legend)>" + Pattern.quote(label) + "[ <].*"))
                .extract()
                .asString();
        assertEquals(2, page.split(Pattern.quote(error)).length, page);
        typed.values().stream()
                .filter(value -> !value.isBlank() && !value.equals("gold"))
                .forEach(value -> assertTrue(page.contains("\"" + value + "\""), page));
    }

    @Test
    void issue_withSeveralMistakes_namesThePlanAmongThem() {
        visitor.submit(ISSUE, Map.of("owner", " ", "plan", "gold", "expiresAt", "tomorrow"))
                .statusCode(400)
                .body(containsString("id=\"owner-error\">Owner must not be blank."))
                .body(containsString("id=\"plan-error\">Plan must be one of free, pro, business, enterprise."))
                .body(containsString("id=\"expiresAt-error\">Expires (UTC) must be a date and time"));
    }

    private long issuedKey() {
        List<Long> found = TestDatabase.query("select id from api_key where owner = '" + owner + "'");
        assertEquals(1, found.size());
        return found.get(0);
    }

    private static String text(String cell) {
        return cell == null ? "" : cell;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Sec-Fetch-Site | cross-site                         | did not come from a page of the console
            Sec-Fetch-Site | same-site                          | did not come from a page of the console
            Sec-Fetch-Site | none                               | did not come from a page of the console
            Origin         | https://elsewhere.example          | did not come from a page of the console
            Origin         | null                               | did not come from a page of the console
            Referer        | https://elsewhere.example/console  | did not come from a page of the console
            Referer        | http://localhost:PORT0/console     | did not come from a page of the console
            X-Nothing      | to tell where it is from           | Allow it to send the header Sec-Fetch-Site, Origin or Referer
            Origin         | http://localhost:PORT              |
            Referer        | http://localhost:PORT/console/keys |
            """)
    void form_ofAnotherOrigin_isRefused(String header, String value, String refusal) {
        for (String path : PATHS) {
            ValidatableResponse response = RestAssured.given()
                    .redirects()
                    .follow(false)
                    .cookie(Visitor.cookieName(), visitor.cookie())
                    .header(header, value.replace("PORT", Integer.toString(RestAssured.port)))
                    .formParams(Map.of("token", Operator.TOKEN, "owner", "forged", "plan", "free"))
                    .post("/console/" + path)
                    .then();
            if (refusal != null) {
                response.statusCode(403)
                        .contentType("text/html;charset=UTF-8")
                        .header("Set-Cookie", nullValue())
                        .body(containsString(refusal));
            } else {
                response.statusCode(not(403));
            }
        }
        assertEquals(List.of(), TestDatabase.query("select id from api_key where owner = 'forged'"));
        visitor.get("/console").statusCode(200);
    }

    /** A malformed type is refused before it is parsed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "multipart/form-data; boundary=x",
                "x",
                ";",
                "\"",
                "\u00e9",
                FORM + ", text/plain"
            })
    void form_ofAnotherType_isRefusedAsAPage(String type) {
        for (String path : List.of("/console/sign-in", "/console/issue", "/console/keys/1/rotation")) {
            RawHttp response = RawHttp.send("POST " + path + " HTTP/1.1\r\nHost: localhost:" + RestAssured.port
                    + "\r\nSec-Fetch-Site: same-origin\r\nCookie: "
                    + Visitor.cookieName() + "=" + visitor.cookie() + "\r\nContent-Type: " + type
                    + "\r\nContent-Length: 3\r\nConnection: close\r\n\r\na=b");
            assertEquals(415, response.status(), path + response);
            assertTrue(response.body().contains("<h1>Unsupported Media Type</h1>"), path + response);
        }
    }

    @ParameterizedTest
    @CsvSource({"a=%,400", "a=1&a=2,400", "LARGE,413"})
    void form_notWellFormed_isRefusedAsAPage(String body, int status) {
        visitor.given()
                .contentType(FORM)
                .body(body.replace("LARGE", "a=" + "x".repeat(65536)))
                .post("/console/issue")
                .then()
                .statusCode(status)
                .body(containsString(
                        "<h1>" + Response.Status.fromStatusCode(status).getReasonPhrase() + "</h1>"))
                .body(containsString("The form "));
    }
}
