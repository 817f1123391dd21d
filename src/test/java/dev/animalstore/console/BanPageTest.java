package dev.animalstore.console;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.Visitor;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The ban on the page of a key, and the form that lifts it. */
@QuarkusTest
class BanPageTest {
    private final String owner = "Owner " + UUID.randomUUID();
    private Visitor visitor;

    @BeforeEach
    void signIn() {
        visitor = Visitor.signIn();
    }

    @Test
    void ban_lifted_admitsTheNextRequest() {
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
        visitor.follow(lifted).then().body(containsString("The ban was lifted."));
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
        visitor.send(lift, hidden, Map.of()).then().statusCode(409).body(containsString("It was permanently revoked"));
    }

    private static String path(TestKey key) {
        return "/console/keys/" + key.id();
    }

    /** Sends requests until the key, which may send one a minute, is banned. */
    private static void ban(TestKey key) {
        Awaitility.await().until(() -> key.given().get("/v1/pets").path("code"), code -> "key_banned".equals(code));
    }

    private TestKey issue(String body) {
        return Operator.issue(body.formatted(owner));
    }
}
