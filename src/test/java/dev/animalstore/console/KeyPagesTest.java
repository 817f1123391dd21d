package dev.animalstore.console;

import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.Operator;
import dev.animalstore.TestDatabase;
import dev.animalstore.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an operator does with keys at the console, and what customers notice of it. */
@QuarkusTest
class KeyPagesTest {
    private static final Pattern SECRET = Pattern.compile("ask_test_[0-9A-Za-z]{38}");

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
        TestKey key = new TestKey(only("select id from api_key where owner = '" + owner + "'"), secret(issued));
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
        visitor.get(path(key))
                .then()
                .statusCode(200)
                .body(allOf(
                        containsString(owner),
                        containsString("300 requests per minute"),
                        not(containsString(key.text()))));
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
    void issue_filledInWrong_saysSoBesideTheFieldAndKeepsWhatWasTyped(
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

    @Test
    void change_ofSomeFields_changesThoseAlone() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\",\"expiresAt\":\"2999-01-01T00:00:07.5Z\"}");
        Response changed = visitor.submit(
                path(key) + "/change", Map.of("owner", owner + "!", "plan", "pro", "expiresAt", "2999-01-01T00:00"));
        changed.then().statusCode(303);
        follow(changed).then().body(containsString("The key was changed."));
        Operator.show(key)
                .body("$", not(hasKey("version")))
                .body("owner", equalTo(owner + "!"))
                .body("plan", equalTo("pro"))
                .body("expiresAt", equalTo("2999-01-01T00:00:07.500Z"));
        key.given().get("/v1/pets").then().header("X-RateLimit-Limit", "300");
    }

    @Test
    void change_ofNothing_changesNothing() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"enterprise\",\"limits\":{\"perMinute\":5,\"perDay\":6}}");
        Map<String, Object> before = Operator.stored(key);
        Map<String, String> typed =
                Map.of("owner", owner, "plan", "enterprise", "limits.perMinute", "5", "limits.perDay", "6");
        visitor.submit(path(key) + "/change", typed)
                .then()
                .statusCode(303)
                .header("Location", startsWith(path(key) + "?done=unchanged&seal="));
        assertEquals(before, Operator.stored(key));
    }

    @Test
    void change_ofAKeyThatAnotherChangedMeanwhile_saysWhatAndKeepsWhatWasTyped() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\"}");
        String path = path(key) + "/change";
        Map<String, String> hidden = visitor.hiddenFields(path, path);
        Operator.change(key, "{\"plan\":\"pro\"}").statusCode(200);

        Response outdated = visitor.send(path, hidden, Map.of("owner", "Mine", "plan", "free"));
        outdated.then()
                .statusCode(409)
                .body(containsString("plan was “free” and is now “pro”."))
                .body(containsString("value=\"Mine\""));
        Operator.show(key).body("owner", equalTo(owner)).body("plan", equalTo("pro"));

        visitor.send(
                        path,
                        Visitor.hiddenFields(outdated.asString().replaceFirst("(?s).*class=\"fields\"", "")),
                        Map.of("owner", "Mine", "plan", "pro"))
                .then()
                .statusCode(303);
        Operator.show(key).body("owner", equalTo("Mine")).body("plan", equalTo("pro"));
    }

    @Test
    void rotation_sentTwice_isDoneOnce() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\"}");
        String path = path(key) + "/rotation";
        Map<String, String> hidden = visitor.hiddenFields(path, path);
        Response rotated = visitor.send(path, hidden, Map.of("graceSeconds", "3600"));
        rotated.then().statusCode(201).header("Cache-Control", "no-store");
        TestKey current = new TestKey(key.id(), secret(rotated));
        current.given().get("/v1/pets").then().statusCode(200);

        visitor.send(path, hidden, Map.of("graceSeconds", "0"))
                .then()
                .statusCode(409)
                .body(containsString("<h1>Done already</h1>"))
                .body(containsString("has rotated <a href=\"" + path(key) + "\">key " + key.id()))
                .body(not(containsString("ask_test_")));
        current.given().get("/v1/pets").then().statusCode(200);
        key.given().get("/v1/pets").then().statusCode(200);
    }

    @Test
    void rotation_withAGraceThatIsTooLong_isRefusedInTheWordsOfTheApi() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\"}");
        visitor.submit(path(key) + "/rotation", Map.of("graceSeconds", "2592001"))
                .then()
                .statusCode(400)
                .body(containsString("graceSeconds must be from 0 to 2592000."))
                .body(containsString("<option value=\"2592001\" selected>"));
    }

    @Test
    void revocation_confirmed_namesTheOwnerAndHoldsFromTheNextRequest() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\"}");
        key.given().get("/v1/pets").then().statusCode(200);
        visitor.get(path(key) + "/revocation").then().statusCode(200).body(containsString(owner));
        visitor.submit(path(key) + "/revocation", Map.of()).then().statusCode(303);
        key.given().get("/v1/pets").then().statusCode(401);
        visitor.get(path(key))
                .then()
                .body(containsString("<span class=\"state revoked\">"))
                .body(not(containsString("/change\"")));
        for (String form : new String[] {"/change", "/rotation", "/revocation"}) {
            visitor.get(path(key) + form).then().statusCode(303).header("Location", equalTo(path(key)));
        }
    }

    @Test
    void form_forAKeyThatAnotherRevokedMeanwhile_saysThatItIsRevoked() {
        for (String form : new String[] {"/change", "/rotation", "/revocation"}) {
            TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\"}");
            String path = path(key) + form;
            Map<String, String> hidden = visitor.hiddenFields(path, path);
            Operator.revoke(key).statusCode(204);
            visitor.send(path, hidden, Map.of("owner", "x", "plan", "free", "expiresAt", "", "graceSeconds", "0"))
                    .then()
                    .statusCode(409)
                    .body(containsString("<li>It was revoked for good at "))
                    .body(containsString("<span class=\"state revoked\">"))
                    .body(not(containsString("What you typed is still here")));
        }
    }

    @Test
    void rotation_ofAKeyThatAnotherRenamedAndRotated_namesBothAndEndsNoSecret() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\"}");
        for (String form : new String[] {"/rotation", "/revocation"}) {
            String path = path(key) + form;
            Map<String, String> hidden = visitor.hiddenFields(path, path);
            String renamed = owner + " of " + form.substring(1);
            Operator.change(key, "{\"owner\":\"%s\"}".formatted(renamed)).statusCode(200);
            TestKey current = Operator.rotated(key, 3600);
            visitor.send(path, hidden, Map.of("graceSeconds", "0"))
                    .then()
                    .statusCode(409)
                    .body(containsString("and is now “" + renamed + "”."))
                    .body(containsString("<li>It was rotated: its newest secret is “…" + hint(current) + "”"))
                    .body(not(containsString("Nothing that the form showed is different")));
            current.given().get("/v1/pets").then().statusCode(200);
        }
    }

    @Test
    void change_ofAKeyThatWasChangedAndChangedBack_doesNotGuessWhatHappened() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\"}");
        String path = path(key) + "/revocation";
        Map<String, String> hidden = visitor.hiddenFields(path, path);
        Operator.change(key, "{\"plan\":\"pro\"}").statusCode(200);
        Operator.change(key, "{\"plan\":\"free\"}").statusCode(200);
        visitor.send(path, hidden, Map.of())
                .then()
                .statusCode(409)
                .body(containsString("<li>Nothing that the form showed is different now"));
    }

    @Test
    void change_sentTwice_saysThatTheFormWasUsed() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\"}");
        for (String form : new String[] {"/change", "/revocation"}) {
            String path = path(key) + form;
            Map<String, String> hidden = visitor.hiddenFields(path, path);
            Map<String, String> typed = Map.of("owner", owner + "!", "plan", "free", "expiresAt", "");
            visitor.send(path, hidden, typed).then().statusCode(303);
            visitor.send(path, hidden, typed)
                    .then()
                    .statusCode(409)
                    .body(containsString(
                            "This form was sent before and has " + (form.equals("/change") ? "changed" : "revoked")));
        }
    }

    @Test
    void change_sentAgainAfterAnotherOperators_undoesNothingThatWasNotTyped() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\"}");
        String path = path(key) + "/change";
        Map<String, String> hidden = visitor.hiddenFields(path, path);
        Operator.change(key, "{\"plan\":\"pro\",\"expiresAt\":\"2999-01-01T00:00:00Z\"}")
                .statusCode(200);
        Response outdated = visitor.send(
                path,
                hidden,
                Map.of(
                        "owner", "Mine",
                        "plan", "free",
                        "limits.perMinute", "",
                        "limits.perDay", "",
                        "expiresAt", ""));
        outdated.then()
                .statusCode(409)
                .body(containsString("name=\"owner\" value=\"Mine\""))
                .body(containsString("<option value=\"pro\" selected>"))
                .body(containsString("type=\"datetime-local\" value=\"2999-01-01T00:00\""));
    }

    @Test
    void change_withoutAFieldThatWasShown_isRefused() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\",\"expiresAt\":\"2999-01-01T00:00:00Z\"}");
        visitor.submit(path(key) + "/change", Map.of("owner", owner, "plan", "free"))
                .then()
                .statusCode(400)
                .body(containsString("id=\"expiresAt-error\">expiresAt is required."));
        Operator.show(key).body("expiresAt", equalTo("2999-01-01T00:00:00Z"));
    }

    @Test
    void change_thatClearsTheLimitsOfAnEnterpriseKey_isRefusedAtTheLimits() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"enterprise\",\"limits\":{\"perMinute\":5,\"perDay\":6}}");
        Map<String, String> typed =
                Map.of("owner", owner + "!", "plan", "enterprise", "limits.perMinute", "", "limits.perDay", "");
        visitor.submit(path(key) + "/change", typed)
                .then()
                .statusCode(400)
                .body(containsString("id=\"limits-error\">limits is required: the plan enterprise has none."));
        Operator.show(key).body("owner", equalTo(owner)).body("limits.perMinute", equalTo(5));
    }

    @Test
    void notice_ofAnOperation_isShownToItsSessionWhileItIsTrue() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\"}");
        for (String done : new String[] {"changed", "unchanged", "lifted", "revoked"}) {
            visitor.get(path(key) + "?done=" + done).then().statusCode(200).body(not(containsString("alert good")));
        }
        Response changed =
                visitor.submit(path(key) + "/change", Map.of("owner", owner + "!", "plan", "free", "expiresAt", ""));
        follow(changed).then().body(containsString("alert good"));
        String location = changed.header("Location");
        Visitor.signIn().given().urlEncodingEnabled(false).get(location).then().body(not(containsString("alert good")));
        visitor.given()
                .urlEncodingEnabled(false)
                .get(location.replace("done=changed", "done=revoked"))
                .then()
                .body(not(containsString("alert good")));
        Operator.change(key, "{\"plan\":\"pro\"}").statusCode(200);
        follow(changed).then().body(not(containsString("alert good")));
    }

    @Test
    void revocation_ofAKeyThatHasAnotherOwnerByNow_asksAgain() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\"}");
        String path = path(key) + "/revocation";
        Map<String, String> hidden = visitor.hiddenFields(path, path);
        Operator.change(key, "{\"owner\":\"Another\"}").statusCode(200);
        visitor.send(path, hidden, Map.of()).then().statusCode(409).body(containsString("and is now “Another”."));
        key.given().get("/v1/pets").then().statusCode(200);
    }

    @Test
    void ban_lifted_holdsFromTheNextRequest() {
        TestKey key = TestKey.of(1, 100);
        for (int i = 0; i < 3; i++) {
            key.given().get("/v1/pets");
        }
        visitor.get(path(key))
                .then()
                .body(containsString("<strong>Banned until "))
                .body(containsString("This is ban number 1"));
        String lift = path(key) + "/ban/lift";
        Response lifted = visitor.send(lift, visitor.hiddenFields(path(key), lift), Map.of());
        lifted.then().statusCode(303);
        follow(lifted).then().body(containsString("The ban was lifted."));
        key.given().get("/v1/pets").then().statusCode(429).body("code", equalTo("rate_limit_exceeded"));
        visitor.get(path(key)).then().body(not(containsString("Banned until")));
    }

    @Test
    void ban_thatIsNotTheOneThatThePageShowed_isNotLifted() {
        TestKey key = TestKey.of(1, 100);
        ban(key);
        String lift = path(key) + "/ban/lift";
        Map<String, String> hidden = visitor.hiddenFields(path(key), lift);
        Operator.liftBan(key).statusCode(204);
        visitor.send(lift, hidden, Map.of())
                .then()
                .statusCode(409)
                .body(containsString("<li>Its ban was lifted.</li>"));

        Operator.change(key, "{\"owner\":\"" + owner + "\"}").statusCode(200);
        ban(key);
        visitor.send(lift, hidden, Map.of())
                .then()
                .statusCode(409)
                .body(containsString("owner was “test” and is now “" + owner + "”."))
                .body(containsString("<strong>Banned until "));
        Map<String, String> another = new HashMap<>(visitor.hiddenFields(path(key), lift));
        another.put("shown.ban", hidden.get("shown.ban"));
        visitor.send(lift, another, Map.of())
                .then()
                .statusCode(409)
                .body(containsString("Nothing was changed. The key has another ban now."));
        key.given().get("/v1/pets").then().statusCode(429).body("code", equalTo("key_banned"));
    }

    @Test
    void ban_ofAKeyThatHasNone_isNotLifted() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\"}");
        Map<String, String> form = visitor.hiddenFields(path(key) + "/change", path(key) + "/change");
        visitor.send(path(key) + "/ban/lift", form, Map.of())
                .then()
                .statusCode(409)
                .body(containsString("The key is not banned now."))
                .body(not(containsString("The ban was lifted.")));
    }

    @Test
    void ban_ofARevokedKey_isNotLifted() {
        TestKey key = TestKey.of(1, 100);
        ban(key);
        String lift = path(key) + "/ban/lift";
        Map<String, String> hidden = visitor.hiddenFields(path(key), lift);
        Operator.revoke(key).statusCode(204);
        visitor.get(path(key)).then().body(containsString("Banned until")).body(not(containsString(lift)));
        visitor.send(lift, hidden, Map.of()).then().statusCode(409).body(containsString("It was revoked for good"));
    }

    @Test
    void secret_ofAKey_isShownByFourCharactersWithTheirPlace() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\"}");
        visitor.get(path(key))
                .then()
                .body(containsString("Before the last six characters</th>"))
                .body(containsString("<code>…" + hint(key) + "</code>"));
    }

    @ParameterizedTest
    @CsvSource({"/console/keys/9223372036854775807", "/console/keys/0/change", "/console/keys/x", "/console/nothing"})
    void page_thatIsNot_is404AsAPage(String path) {
        visitor.get(path)
                .then()
                .statusCode(404)
                .contentType("text/html;charset=UTF-8")
                .body(containsString("<h1>Not found</h1>"));
    }

    private static String path(TestKey key) {
        return "/console/keys/" + key.id();
    }

    /** Opens the page that a response leads to. */
    private Response follow(Response response) {
        return visitor.given().urlEncodingEnabled(false).get(response.header("Location"));
    }

    /** Sends requests until the key, which may send one a minute, is banned. */
    private static void ban(TestKey key) {
        Awaitility.await().until(() -> key.given().get("/v1/pets").path("code"), code -> "key_banned".equals(code));
    }

    /** The four characters before the check. */
    private static String hint(TestKey key) {
        int end = key.text().length() - 6;
        return key.text().substring(end - 4, end);
    }

    private TestKey issue(String body) {
        return Operator.issue(body.formatted(owner));
    }

    private static String secret(Response page) {
        Matcher secret = SECRET.matcher(page.asString());
        assertTrue(secret.find(), page.asString());
        return secret.group();
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
