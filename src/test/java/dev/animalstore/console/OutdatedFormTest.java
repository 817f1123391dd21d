package dev.animalstore.console;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.Visitor;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Forms for a key that was changed after they were shown, and forms that are sent twice. */
@QuarkusTest
class OutdatedFormTest {
    private final String owner = "Owner " + UUID.randomUUID();
    private Visitor visitor;

    @BeforeEach
    void signIn() {
        visitor = Visitor.signIn();
    }

    @Test
    void change_ofAKeyThatAnotherOperatorChanged_showsTheChangeAndKeepsTheInput() {
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
    void change_sentFromAnOutdatedForm_keepsTheFieldsThatWereNotEdited() {
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
    void form_forAKeyThatAnotherOperatorRevoked_saysThatItIsRevoked() {
        for (String form : new String[] {"/change", "/rotation", "/revocation"}) {
            TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\"}");
            String path = path(key) + form;
            Map<String, String> hidden = visitor.hiddenFields(path, path);
            Operator.revoke(key).statusCode(204);
            visitor.send(path, hidden, Map.of("owner", "x", "plan", "free", "expiresAt", "", "graceSeconds", "0"))
                    .then()
                    .statusCode(409)
                    .body(containsString("<li>It was permanently revoked at "))
                    .body(containsString("<span class=\"state revoked\">"))
                    .body(not(containsString("Your input is still here")));
        }
    }

    @Test
    void rotation_ofAKeyThatAnotherOperatorRenamedAndRotated_namesBothAndEndsNoSecret() {
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
                    .body(containsString("<li>It was rotated: its newest secret is “…" + current.hint() + "”"))
                    .body(not(containsString("Nothing that the form showed is different")));
            current.given().get("/v1/pets").then().statusCode(200);
        }
    }

    @Test
    void revocation_ofAKeyThatNowHasAnotherOwner_isRefusedAndShowsTheOwner() {
        TestKey key = issue("{\"owner\":\"%s\",\"plan\":\"free\"}");
        String path = path(key) + "/revocation";
        Map<String, String> hidden = visitor.hiddenFields(path, path);
        Operator.change(key, "{\"owner\":\"Another\"}").statusCode(200);
        visitor.send(path, hidden, Map.of()).then().statusCode(409).body(containsString("and is now “Another”."));
        key.given().get("/v1/pets").then().statusCode(200);
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
                .body(containsString("<h1>Already done</h1>"))
                .body(containsString("has already rotated <a href=\"" + path(key) + "\">key " + key.id()))
                .body(not(containsString("ask_test_")));
        current.given().get("/v1/pets").then().statusCode(200);
        key.given().get("/v1/pets").then().statusCode(200);
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
                    .body(containsString("This form has already " + (form.equals("/change") ? "changed" : "revoked")));
        }
    }

    private static String path(TestKey key) {
        return "/console/keys/" + key.id();
    }

    private TestKey issue(String body) {
        return Operator.issue(body.formatted(owner));
    }
}
