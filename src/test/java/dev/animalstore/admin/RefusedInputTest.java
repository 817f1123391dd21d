package dev.animalstore.admin;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid input of operators is refused with a message that says what to change, and has no effect. */
@QuarkusTest
class RefusedInputTest {
    private static final String OWNER = "refused input";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"plan":"free"}                                    | owner is required.
            {"owner":" ","plan":"free"}                        | owner must not be blank.
            {"owner":7,"plan":"free"}                          | owner must be a string.
            {"owner":"refused input\\u0000","plan":"free"}     | owner must not contain control characters or unpaired surrogates.
            {"owner":"refused input"}                          | plan is required.
            {"owner":"refused input","plan":null}              | plan must be a string.
            {"owner":"refused input","plan":"gold"}            | plan must be one of free, pro, business, enterprise.
            {"owner":"refused input","plan":"FREE"}            | plan must be one of free, pro, business, enterprise.
            {"owner":"refused input","plan":"enterprise"}      | limits is required: the plan enterprise has none.
            {"owner":"refused input","plan":"free","limits":null} | limits must be an object.
            {"owner":"refused input","plan":"free","limits":{"perMinute":1,"perDay":1}} | limits must be absent: the plan free has its own.
            {"owner":"refused input","plan":"enterprise","limits":{}} | limits.perMinute is required; limits.perDay is required.
            {"owner":"refused input","plan":"enterprise","limits":{"perMinute":0,"perDay":1}} | limits.perMinute must be from 1 to 2147483647.
            {"owner":"refused input","plan":"enterprise","limits":{"perMinute":1,"perDay":-1}} | limits.perDay must be from 1 to 2147483647.
            {"owner":"refused input","plan":"enterprise","limits":{"perMinute":1,"perDay":2147483648}} | limits.perDay must be from 1 to 2147483647.
            {"owner":"refused input","plan":"enterprise","limits":{"perMinute":99999999999999999999,"perDay":1}} | limits.perMinute must be from 1 to 2147483647.
            {"owner":"refused input","plan":"enterprise","limits":{"perMinute":1.5,"perDay":1}} | limits.perMinute must be an integer.
            {"owner":"refused input","plan":"enterprise","limits":{"perMinute":"1","perDay":1}} | limits.perMinute must be an integer.
            {"owner":"refused input","plan":"enterprise","limits":{"perMinute":1,"perDay":1,"perHour":1}} | limits.perHour is unknown.
            {"owner":"refused input","plan":"free","expiresAt":"2020-01-01T00:00:00Z"} | expiresAt must be in the future.
            {"owner":"refused input","plan":"free","expiresAt":"tomorrow"} | expiresAt must be a date and time such as 2030-12-05T00:00:00Z.
            {"owner":"refused input","plan":"free","expiresAt":4099680000} | expiresAt must be a date and time such as 2030-12-05T00:00:00Z.
            {"owner":"refused input","plan":"free","expiresAt":"9999-12-31T23:00:00-18:00"} | expiresAt must be a date and time such as 2030-12-05T00:00:00Z.
            {"owner":"refused input","plan":"free","expiresAt":"+10000-01-01T00:00:00Z"} | expiresAt must be a date and time such as 2030-12-05T00:00:00Z.
            {"owner":"refused input","plan":"free","expires":"2090-01-01T00:00:00Z"} | expires is unknown.
            {"owner":"refused input","plan":"free","id":7,"key":"x"} | id is unknown; key is unknown.
            {"x":{"y":1},"limits":{"perHour":[1],"perDay":"1"},"owner":" ","a.b":null} | x is unknown; a.b is unknown; owner must not be blank; plan is required; limits.perHour is unknown; limits.perMinute is required; limits.perDay must be an integer.
            {"owner":"refused input","plan":"free","expiresAt":" 2090-01-01T00:00:00Z"} | expiresAt must be a date and time such as 2030-12-05T00:00:00Z.
            {"owner":"refused input","plan":"free","a\\u0000\\ud800b":1,"":2} | a\ufffd\ufffdb is unknown; "" is unknown.
            ["refused input"]                                  | The body must be a JSON object.
            """)
    void issue_invalid_isRefusedAndIssuesNothing(String body, String message) {
        Operator.refused(Operator.given(body).post("/admin/keys").then(), 400, "validation_failed", equalTo(message));
        assertNothingIssued();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"owner\":\"refused input\",\"plan\":\"free\"",
                "{\"owner\":\"refused input\",\"plan\":\"free\"} {}",
                "{\"owner\":\"refused input\",\"plan\":\"free\",\"plan\":\"pro\"}"
            })
    void issue_malformed_isRefusedAndIssuesNothing(String body) {
        Operator.refused(
                Operator.given(body).post("/admin/keys").then(), 400, "malformed_json", containsString("The body is"));
        assertNothingIssued();
    }

    @Test
    void issue_ofAnotherMediaType_isRefusedAndIssuesNothing() {
        Operator.refused(
                Operator.given()
                        .contentType("text/plain")
                        .body("{\"owner\":\"" + OWNER + "\",\"plan\":\"free\"}")
                        .post("/admin/keys")
                        .then(),
                415,
                "unsupported_media_type",
                equalTo("The body must be application/json."));
        assertNothingIssued();
    }

    @Test
    void issue_over64KiB_isRefusedAndIssuesNothing() {
        String body = "{\"owner\":\"" + OWNER + "\",\"plan\":\"free\"" + " ".repeat(65_536) + "}";
        Operator.refused(
                        Operator.given(body).post("/admin/keys").then(),
                        413,
                        "payload_too_large",
                        equalTo("The body must not exceed 65536 bytes."))
                .header("Connection", nullValue());
        assertNothingIssued();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"owner":null}                             | owner must be a string.
            {"owner":"changed","plan":"gold"}          | plan must be one of free, pro, business, enterprise.
            {"owner":"changed","plan":"enterprise"}    | limits is required: the plan enterprise has none.
            {"owner":"changed","limits":{"perMinute":1,"perDay":1}} | limits must be absent: the plan free has its own.
            {"plan":"enterprise","limits":{"perMinute":0,"perDay":0}} | limits.perMinute must be from 1 to 2147483647; limits.perDay must be from 1 to 2147483647.
            {"plan":"enterprise","limits":{"perMinute":1}} | limits.perDay is required.
            {"owner":"changed","expiresAt":"2020-01-01T00:00:00Z"} | expiresAt must be in the future.
            {"owner":"changed","revokedAt":null}       | revokedAt is unknown.
            {"owner":"changed","name":"x"}             | name is unknown.
            """)
    void change_invalid_isRefusedAndChangesNothing(String body, String message) {
        TestKey key = TestKey.of("free");
        var before = Operator.stored(key);
        Operator.refused(Operator.change(key, body), 400, "validation_failed", equalTo(message));
        assertEquals(before, Operator.stored(key));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                   | graceSeconds is required.
            {"graceSeconds":null}                | graceSeconds must be an integer.
            {"graceSeconds":-1}                  | graceSeconds must be from 0 to 2592000.
            {"graceSeconds":2592001}             | graceSeconds must be from 0 to 2592000.
            {"graceSeconds":99999999999999999999} | graceSeconds must be from 0 to 2592000.
            {"graceSeconds":60,"grace":60}       | grace is unknown.
            """)
    void rotation_invalid_isRefusedAndKeepsTheSecret(String body, String message) {
        TestKey key = TestKey.of("free");
        var before = Operator.stored(key);
        Operator.refused(
                Operator.given(body).post(Operator.path(key) + "/rotation").then(),
                400,
                "validation_failed",
                equalTo(message));
        assertEquals(before, Operator.stored(key));
        key.given().get("/v1/pets").then().statusCode(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"+%d", "%%2B%d", "-%d", "%d.0", "0x%d", "99999999999999999999", "%%D9%%A1", "x"})
    void key_thatIsNoNumberAsTheServiceWritesIt_isNotFound(String id) {
        TestKey key = TestKey.of("free");
        var before = Operator.stored(key);
        String path = "/admin/keys/" + id.formatted(key.id());
        for (String method : List.of("GET", "PATCH", "DELETE")) {
            Operator.refused(
                    Operator.given("{\"owner\":\"changed\"}")
                            .urlEncodingEnabled(false)
                            .request(method, path)
                            .then(),
                    404,
                    "not_found",
                    equalTo("No such path."));
        }
        assertEquals(before, Operator.stored(key));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            limit=0         | limit must be a whole number from 1 to 100.
            limit=101       | limit must be a whole number from 1 to 100.
            limit=ten       | limit must be a whole number from 1 to 100.
            cursor=x        | cursor is damaged or belongs to another list or filter; take it from a Link header.
            owner=a&owner=b | owner is given more than once.
            owner=%00       | owner must not contain the character NUL.
            """)
    void list_invalid_isRefused(String query, String message) {
        Operator.refused(
                        Operator.given()
                                .urlEncodingEnabled(false)
                                .get("/admin/keys?" + query)
                                .then(),
                        400,
                        "invalid_parameter",
                        equalTo(message))
                .header("Link", nullValue());
    }

    @Test
    void list_withTheCursorOfAnotherOwner_isRefused() {
        TestKey.of("free");
        TestKey.of("free");
        String link = Operator.given()
                .get("/admin/keys?limit=1&owner=test")
                .then()
                .statusCode(200)
                .extract()
                .header("Link");
        String cursor = link.replaceFirst(".*cursor=([^&>]*).*", "$1");
        Operator.refused(
                Operator.given()
                        .get("/admin/keys?limit=1&owner=other&cursor=" + cursor)
                        .then(),
                400,
                "invalid_parameter",
                not(containsString(cursor)));
    }

    private static void assertNothingIssued() {
        Operator.given()
                .queryParam("owner", OWNER)
                .get("/admin/keys")
                .then()
                .statusCode(200)
                .body("size()", equalTo(0));
    }
}
