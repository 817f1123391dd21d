package dev.animalstore.console;

import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.fixture.Visitor;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The form that issues a key. */
@QuarkusTest
class IssuePageTest {
    private final String owner = "Owner " + UUID.randomUUID();
    private Visitor visitor;

    @BeforeEach
    void signIn() {
        visitor = Visitor.signIn();
    }

    @Test
    void issue_filledIn_showsTheKeyOnceAndItWorks() {
        Map<String, String> hidden = visitor.hiddenFields("/console/issue", "/console/issue");
        Map<String, String> typed = Map.of("owner", owner, "plan", "pro");
        Response issued = visitor.send("/console/issue", hidden, typed);
        issued.then().statusCode(201).contentType("text/html;charset=UTF-8").header("Cache-Control", "no-store");
        TestKey key = new TestKey(only("select id from api_key where owner = '" + owner + "'"), Visitor.secret(issued));
        key.given().get("/v1/pets").then().statusCode(200).header("X-RateLimit-Limit", "300");

        Response again = visitor.send("/console/issue", hidden, typed);
        again.then()
                .statusCode(409)
                .body(containsString("issued <a href=\"/console/keys/" + key.id() + "\">key " + key.id() + "</a>"))
                .body(not(containsString("ask_test_")));
        assertEquals(
                1,
                TestDatabase.query("select id from api_key where owner = '" + owner + "'")
                        .size());
        visitor.get("/console/keys/" + key.id())
                .then()
                .statusCode(200)
                .body(allOf(
                        containsString(owner),
                        containsString("300 requests per minute"),
                        not(containsString(key.text()))));
    }

    @Test
    void issue_whileTheDatabaseIsLocked_canBeSentAgainByAReload() throws SQLException {
        Map<String, String> hidden = visitor.hiddenFields("/console/issue", "/console/issue");
        Map<String, String> typed = Map.of("owner", owner, "plan", "free");
        try (Connection holder = TestServers.connect();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("lock table console_form in share mode");

            visitor.send("/console/issue", hidden, typed)
                    .then()
                    .statusCode(503)
                    .contentType("text/html;charset=UTF-8")
                    .body(containsString("Reload this page to send the form again, as it was filled in."));
        }

        visitor.send("/console/issue", hidden, typed).then().statusCode(201);
        only("select id from api_key where owner = '" + owner + "'");
    }

    @Test
    void issue_ofAnEnterpriseKey_takesItsLimitsAndExpiry() {
        visitor.submit(
                        "/console/issue",
                        Map.of(
                                "owner",
                                owner,
                                "plan",
                                "enterprise",
                                "limits.perMinute",
                                "7",
                                "limits.perDay",
                                "70",
                                "expiresAt",
                                "2999-12-05T10:30"))
                .then()
                .statusCode(201);
        long id = only("select id from api_key where owner = '" + owner + "'");
        Operator.show(new TestKey(id, ""))
                .body("limits.perMinute", equalTo(7))
                .body("limits.perDay", equalTo(70))
                .body("expiresAt", equalTo("2999-12-05T10:30:00Z"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ' '  | free       |     |     |                  | owner            | owner must not be blank.
            O    | gold       |     |     |                  | plan             | plan must be one of free, pro, business, enterprise.
            O    | enterprise |     |     |                  | limits           | limits is required: the plan enterprise has none.
            O    | free       | 1   | 1   |                  | limits           | limits must be absent: the plan free has its own.
            O    | enterprise | 7   |     |                  | limits.perDay    | limits.perDay is required.
            O    | enterprise | x   | 1   |                  | limits.perMinute | limits.perMinute must be an integer.
            O    | enterprise | 007 | 1   |                  | limits.perMinute | limits.perMinute must be an integer.
            O    | enterprise | 0   | 1   |                  | limits.perMinute | limits.perMinute must be from 1 to 2147483647.
            O    | enterprise | 1   | 99999999999999999999 | | limits.perDay    | limits.perDay must be from 1 to 2147483647.
            O    | free       |     |     | 2020-01-01T00:00 | expiresAt        | expiresAt must be in the future.
            O    | free       |     |     | tomorrow         | expiresAt        | expiresAt must be a date and time such as 2030-12-05T00:00:00Z.
            """)
    void issue_withInvalidInput_saysSoBesideTheFieldAndKeepsTheInput(
            String name, String plan, String perMinute, String perDay, String expiresAt, String field, String error) {
        Map<String, String> typed = Map.of(
                "owner", name,
                "plan", plan,
                "limits.perMinute", text(perMinute),
                "limits.perDay", text(perDay),
                "expiresAt", text(expiresAt));
        Response refused = visitor.submit("/console/issue", typed);
        refused.then()
                .statusCode(400)
                .body(containsString("<span class=\"error\" id=\"" + field + "-error\">" + error + "</span>"));
        typed.values().stream()
                .filter(value -> !value.isBlank() && !value.equals("gold"))
                .forEach(value -> refused.then().body(containsString("\"" + value + "\"")));
    }

    private static long only(String query) {
        List<Long> found = TestDatabase.query(query);
        assertEquals(1, found.size(), query);
        return found.get(0);
    }

    private static String text(String cell) {
        return cell == null ? "" : cell;
    }
}
