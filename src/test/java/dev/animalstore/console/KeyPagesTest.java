package dev.animalstore.console;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;
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

/** The page of a key, and the forms that change, rotate and revoke it. */
@QuarkusTest
class KeyPagesTest {
    private final String owner = "Owner " + UUID.randomUUID();
    private Visitor visitor;

    @BeforeEach
    void signIn() {
        visitor = Visitor.signIn();
    }

    @Test
    void change_ofSomeFields_changesThoseOnly() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\",\"expiresAt\":\"2999-01-01T00:00:07.5Z\"}");
        Response changed = visitor.submit(
                path(key) + "/change", Map.of("owner", owner + "!", "plan", "pro", "expiresAt", "2999-01-01T00:00"));
        changed.then().statusCode(303);
        visitor.follow(changed).then().body(containsString("The key was changed."));
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
    void rotation_withAGraceThatIsTooLong_isRefusedInTheWordsOfTheApi() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\"}");
        visitor.submit(path(key) + "/rotation", Map.of("graceSeconds", "2592001"))
                .then()
                .statusCode(400)
                .body(containsString("graceSeconds must be from 0 to 2592000."))
                .body(containsString("<option value=\"2592001\" selected>"));
    }

    @Test
    void revocation_confirmed_namesTheOwnerAndTakesEffectFromTheNextRequest() {
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
    void notice_ofAnOperation_isShownToItsSessionUntilTheNextChange() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\"}");
        for (String done : new String[] {"changed", "unchanged", "lifted", "revoked"}) {
            visitor.get(path(key) + "?done=" + done).then().statusCode(200).body(not(containsString("alert good")));
        }
        Response changed =
                visitor.submit(path(key) + "/change", Map.of("owner", owner + "!", "plan", "free", "expiresAt", ""));
        visitor.follow(changed).then().body(containsString("alert good"));
        String location = changed.header("Location");
        Visitor.signIn().given().urlEncodingEnabled(false).get(location).then().body(not(containsString("alert good")));
        visitor.given()
                .urlEncodingEnabled(false)
                .get(location.replace("done=changed", "done=revoked"))
                .then()
                .body(not(containsString("alert good")));
        Operator.change(key, "{\"plan\":\"pro\"}").statusCode(200);
        visitor.follow(changed).then().body(not(containsString("alert good")));
    }

    @Test
    void secret_ofAKey_isShownByFourCharactersWithTheirPlace() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\"}");
        visitor.get(path(key))
                .then()
                .body(containsString("Before the last six characters</th>"))
                .body(containsString("<code>…" + key.hint() + "</code>"));
    }

    @ParameterizedTest
    @CsvSource({"/console/keys/9223372036854775807", "/console/keys/0/change", "/console/keys/x", "/console/nothing"})
    void page_thatDoesNotExist_is404AsAPage(String path) {
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
