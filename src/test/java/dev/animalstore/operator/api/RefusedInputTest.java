package dev.animalstore.operator.api;

import static dev.animalstore.fixture.Operator.refusal;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.metering.key.BearerKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid input of operators is refused with a message that names every invalid member and what to change, and has no effect. */
@QuarkusTest
class RefusedInputTest {
    private static final String LIMITS = "must be from 1 to 2147483647";
    private static final String TIME = "must be a date and time such as 2030-12-05T00:00:00Z";

    private final TestKey key = TestKey.of("free");
    private Map<String, Object> before;

    @BeforeEach
    void remember() {
        before = Operator.stored(key);
    }

    @AfterEach
    void nothingWasIssuedOrChanged() {
        assertEquals(before, Operator.stored(key));
        assertEquals(List.of(), TestDatabase.query("select id from api_key where owner = 'refused input'"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                          | owner is required; plan is required.
            {"owner":7,"plan":null,"limits":null,"expiresAt":4099680000,"id":7,"key":"x"} | \
            id is unknown; key is unknown; owner must be a string; plan must be a string; limits must be an object; expiresAt TIME.
            {"owner":" ","plan":"free\\u0000","limits":{},"expiresAt":"2020-01-01T00:00:00Z"} | \
            owner must not be blank; plan must not contain control characters or unpaired surrogates; \
            limits.perMinute is required; limits.perDay is required; expiresAt must be in the future.
            {"owner":"O","plan":"free","limits":{"perMinute":0,"perDay":-1}} | \
            limits.perMinute LIMITS; limits.perDay LIMITS; limits must be absent: the plan free has its own.
            {"owner":"O","plan":"free","limits":{"perMinute":2147483648,"perDay":99999999999999999999}} | \
            limits.perMinute LIMITS; limits.perDay LIMITS; limits must be absent: the plan free has its own.
            {"owner":"O","plan":"enterprise","limits":{"perMinute":1.5,"perDay":"1","perHour":[1]}} | \
            limits.perHour is unknown; limits.perMinute must be an integer; limits.perDay must be an integer.
            {"owner":"O","plan":"free","expiresAt":"tomorrow"}                  | expiresAt TIME.
            {"owner":"O","plan":"free","expiresAt":" 2090-01-01T00:00:00Z"}     | expiresAt TIME.
            {"owner":"O","plan":"free","expiresAt":"9999-12-31T23:00:00-18:00"} | expiresAt TIME.
            {"owner":"O","plan":"free","expiresAt":"+10000-01-01T00:00:00Z"}    | expiresAt TIME.
            {"owner":"O","plan":"free","a\\u0000b":1,"":2,"a.b":null}    | a\ufffdb is unknown; "" is unknown; a.b is unknown.
            {"owner":" ","plan":"gold","a":1}                           | \
            a is unknown; owner must not be blank; plan must be one of free, pro, business, enterprise.
            {"owner":" ","plan":"enterprise"}                           | \
            owner must not be blank; limits is required: the plan enterprise has none.
            {"owner":"O","plan":"FREE"}                                 | plan must be one of free, pro, business, enterprise.
            {"owner":"O","plan":"enterprise"}                           | limits is required: the plan enterprise has none.
            {"owner":"O","plan":"free","limits":{"perMinute":1,"perDay":1}} | limits must be absent: the plan free has its own.
            ["O"]                                                       | The body must be an object.
            """)
    void issue_invalid_isRefused(String body, String message) {
        refused(Operator.given(body.replace("\"O\"", "\"refused input\"")).post("/admin/keys"), message);
    }

    /** The plan is looked up while the body is read. */
    @Test
    void issue_whileThePlansAreLocked_is503() {
        TestDatabase.during(
                "lock table plan in access exclusive mode",
                () -> Operator.given("{\"owner\":\"refused input\",\"plan\":\"free\"}")
                        .post("/admin/keys")
                        .then()
                        .statusCode(503)
                        .body("code", equalTo("service_unavailable")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"owner":null,"limits":{"perMinute":0},"expiresAt":"2020-01-01T00:00:00Z","revokedAt":null} | \
            revokedAt is unknown; owner must be a string; limits.perMinute LIMITS; limits.perDay is required; expiresAt must be in the future.
            {"owner":"changed","suspended":"true"}  | suspended must be true or false.
            {"owner":"changed","suspended":null}    | suspended must be true or false.
            {"owner":" ","plan":"gold"}             | owner must not be blank; plan must be one of free, pro, business, enterprise.
            {"owner":" ","plan":"pro","limits":{"perMinute":1,"perDay":1}} | \
            owner must not be blank; limits must be absent: the plan pro has its own.
            {"owner":"changed","plan":"gold"}       | plan must be one of free, pro, business, enterprise.
            {"owner":"changed","plan":"enterprise"} | limits is required: the plan enterprise has none.
            {"owner":"changed","limits":{"perMinute":1,"perDay":1}} | limits must be absent: the plan free has its own.
            """)
    void change_invalid_isRefused(String body, String message) {
        refused(Operator.given(body).patch(Operator.path(key)), message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                             | graceSeconds is required.
            {"graceSeconds":null}          | graceSeconds must be an integer.
            {"graceSeconds":-1,"grace":60} | grace is unknown; graceSeconds must be from 0 to 2592000.
            {"graceSeconds":2592001}       | graceSeconds must be from 0 to 2592000.
            {"graceSeconds":2.592001e6}    | graceSeconds must be from 0 to 2592000.
            """)
    void rotation_invalid_isRefused(String body, String message) {
        refused(Operator.given(body).post(Operator.path(key) + "/rotation"), message);
        key.given().get("/v1/samples").then().statusCode(200);
    }

    /** While a well-formed secret of this environment is only unknown. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                    | key is required.
            {"key":7,"id":1}      | id is unknown; key must be a string.
            {"key":""}            | key FORM
            {"key":"CHECKED "}    | key FORM
            {"key":"UNCHECKED"}   | key FORM
            {"key":"ANOTHER"}     | key FORM
            """)
    void lookup_invalid_isRefused(String body, String message) {
        String sent = body.replace("UNCHECKED", key.text().replaceFirst(".$", "_"))
                .replace("CHECKED", key.text())
                .replace("ANOTHER", BearerKey.of("ask_live_", "x".repeat(32)).reveal());
        refused(
                Operator.given(sent).post("/admin/keys/lookup"),
                message.replace("FORM", "must be a whole API key of this environment, with a valid checksum."));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            application/json | {"owner":"refused input","plan":"free","plan":"pro"} | 400 | malformed_json
            text/plain       | {"owner":"refused input","plan":"free"}              | 415 | unsupported_media_type
            """)
    void issue_ofABodyThatIsNoJson_isRefused(String type, String body, int status, String code) {
        Operator.given()
                .contentType(type)
                .body(body)
                .post("/admin/keys")
                .then()
                .spec(refusal(status, code, containsString("The body")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"+%d", "%%2B%d", "-%d", "%d.0", "0x%d", "99999999999999999999", "%%D9%%A1", "x"})
    void key_thatIsNoNumberAsTheServiceWritesIt_isNotFound(String id) {
        for (String method : List.of("GET", "PATCH", "DELETE")) {
            Operator.given("{\"owner\":\"changed\"}")
                    .urlEncodingEnabled(false)
                    .request(method, "/admin/keys/" + id.formatted(key.id()))
                    .then()
                    .spec(refusal(404, "not_found", equalTo("No such path.")));
        }
        Operator.given()
                .urlEncodingEnabled(false)
                .get("/admin/keys/" + id.formatted(key.id()) + "/changes?limit=5")
                .then()
                .spec(refusal(404, "not_found", equalTo("No such path.")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a\\u200b", "\\u202eevil", "\\ufeffa", "a\\u00adb", "a\\u3164", "\\udb40\\udc41a", "a\\u2028b"})
    void owner_withInvisibleCharacters_isRefused(String owner) {
        String message = "owner must not contain invisible or bidirectional characters.";
        refused(
                Operator.given("{\"owner\":\"" + owner + "\",\"plan\":\"free\"}")
                        .post("/admin/keys"),
                message);
        refused(Operator.given("{\"owner\":\"" + owner + "\"}").patch(Operator.path(key)), message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /keys?states=banned     | The operation has only owner, ownerIs, plan, state, order, limit, cursor.
            /keys?state=gone        | state must be one of active, banned, expiring, expired, suspended, revoked.
            /keys?order=up          | order must be one of oldest, newest.
            /keys/%d?id=1           | The operation has no parameters.
            /keys/%d/changes?limit=0 | limit must be a whole number from 1 to 100.
            /keys/%d/usage?day=1    | The operation has only from, to, month.
            /usage?key=25           | The operation has only from, to, month, limit, cursor.
            """)
    void parameter_thatTheOperationDoesNotHaveOrTake_isRefused(String path, String message) {
        Operator.given()
                .get("/admin" + path.formatted(key.id()))
                .then()
                .spec(refusal(400, "invalid_parameter", equalTo(message)));
    }

    private static void refused(Response response, String message) {
        String expected = message.replace("LIMITS", LIMITS).replace("TIME", TIME);
        response.then().spec(refusal(400, "validation_failed", equalTo(expected)));
    }
}
