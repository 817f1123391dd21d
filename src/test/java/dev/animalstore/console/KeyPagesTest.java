package dev.animalstore.console;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.Visitor;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an operator does with keys at the console, and what customers notice of it. */
@QuarkusTest
class KeyPagesTest {
    private final String owner = "Owner " + UUID.randomUUID();
    private Visitor visitor;

    @BeforeEach
    void signIn() {
        visitor = Visitor.signIn();
    }

    @Test
    void change_ofSomeFields_changesThoseAlone() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\",\"expiresAt\":\"2999-01-01T00:00:07.5Z\"}");
        Response changed = visitor.submit(
                path(key) + "/change", Map.of("owner", owner + "!", "plan", "pro", "expiresAt", "2999-01-01T00:00"));
        changed.then().statusCode(303).header("Location", equalTo(path(key) + "?done=changed"));
        visitor.get(path(key) + "?done=changed").then().body(containsString("The key was changed."));
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
                .header("Location", equalTo(path(key) + "?done=unchanged"));
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
        TestKey current = new TestKey(key.id(), Visitor.secret(rotated));
        current.given().get("/v1/pets").then().statusCode(200);

        visitor.send(path, hidden, Map.of("graceSeconds", "0"))
                .then()
                .statusCode(409)
                .body(containsString("Its secret was replaced"))
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
        visitor.submit(path(key) + "/change", Map.of("owner", "x", "plan", "free"))
                .then()
                .statusCode(409)
                .body(containsString("The key is permanently revoked."));
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
        visitor.send(lift, visitor.hiddenFields(path(key), lift), Map.of())
                .then()
                .statusCode(303);
        key.given().get("/v1/pets").then().statusCode(429).body("code", equalTo("rate_limit_exceeded"));
        visitor.get(path(key)).then().body(not(containsString("Banned until")));
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

    private TestKey issue(String body) {
        return Operator.issue(body.formatted(owner));
    }
}
