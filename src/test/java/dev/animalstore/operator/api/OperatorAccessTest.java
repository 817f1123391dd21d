package dev.animalstore.operator.api;

import static dev.animalstore.fixture.Operator.refusal;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.specification.RequestSpecification;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Access to the operators' API, and its responses to requests that match no operation. */
@QuarkusTest
class OperatorAccessTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/admin", "/admin/keys", "/admin/keys/1",
                "/admin/keys/1/usage", "/admin/keys/1/changes", "/admin/usage",
                "/admin/nothing"
            })
    void request_withoutAToken_is401AndRevealsNoPaths(String path) {
        RestAssured.get(path)
                .then()
                .spec(refusal(401, "missing_api_key", equalTo("Send the operators' token.")))
                .header("WWW-Authenticate", "Bearer realm=\"animal-store-admin\"")
                .header("X-RateLimit-Limit", "300");
        RestAssured.options(path).then().statusCode(401).header("Allow", nullValue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer", "Bearer ",
                "Bearer token-of-operators-in-the-tests-onl", "Bearer token-of-operators-in-the-tests-only2",
                "Bearer TOKEN-OF-OPERATORS-IN-THE-TESTS-ONLY", "Basic token-of-operators-in-the-tests-only",
                "token-of-operators-in-the-tests-only"
            })
    void request_withAnotherToken_is401(String authorization) {
        RestAssured.given()
                .header("Authorization", authorization)
                .get("/admin/keys")
                .then()
                .spec(refusal(401, "invalid_api_key", equalTo("The operators' token is not valid.")))
                .header("WWW-Authenticate", "Bearer realm=\"animal-store-admin\", error=\"invalid_token\"");
    }

    @Test
    void twoTokens_keyOnAdmin_andTokenOnTheApi_are401() {
        TestKey key = TestKey.of("business");
        RequestSpecification twoTokens = Operator.given().header("Authorization", "Bearer another");
        for (RequestSpecification each :
                List.of(twoTokens, key.given(), key.given().accept("text/csv"))) {
            each.get("/admin/usage").then().statusCode(401).body("code", equalTo("invalid_api_key"));
        }
        key.list().statusCode(200).header("X-RateLimit-Remaining", "999");
        Operator.given().get("/v1/samples").then().statusCode(401).body("code", equalTo("invalid_api_key"));
    }

    @ParameterizedTest
    @CsvSource({"GET,''", "GET,/usage", "GET,/changes", "PATCH,''", "DELETE,''", "POST,/rotation", "DELETE,/ban"})
    void request_forAnUnknownKey_is404(String method, String operation) {
        String body = operation.isEmpty() ? "{}" : "{\"graceSeconds\":0}";
        Operator.given(body)
                .request(method, "/admin/keys/999999999999999999" + operation)
                .then()
                .spec(refusal(404, "not_found", equalTo("No such key.")));
    }

    @ParameterizedTest
    @CsvSource({"POST,''", "PATCH,/ID", "DELETE,/ID", "POST,/ID/rotation", "DELETE,/ID/ban"})
    void change_byAReader_is403AndChangesNothing(String method, String operation) {
        TestKey key = TestKey.of("free");
        Object before = Operator.stored(key);
        long keys = TestDatabase.number("select count(*) from api_key");
        Operator.as(Operator.READER_TOKEN)
                .contentType("application/json")
                .body("{\"owner\":\"forged\",\"plan\":\"pro\"}")
                .request(method, "/admin/keys" + operation.replace("ID", Long.toString(key.id())))
                .then()
                .spec(refusal(403, "forbidden", equalTo("This operator may only read.")));
        assertEquals(before, Operator.stored(key));
        assertEquals(keys, TestDatabase.number("select count(*) from api_key"));
    }

    @Test
    void readingAndLookingUp_byAReader_areServed() {
        TestKey key = TestKey.of("free");
        for (String path : List.of("", "/" + key.id(), "/" + key.id() + "/usage", "/" + key.id() + "/changes")) {
            Operator.as(Operator.READER_TOKEN).get("/admin/keys" + path).then().statusCode(200);
            Operator.as(Operator.READER_TOKEN).head("/admin/keys" + path).then().statusCode(200);
        }
        Operator.as(Operator.READER_TOKEN).get("/admin/usage").then().statusCode(200);
        Operator.as(Operator.READER_TOKEN)
                .contentType("application/json")
                .body("{\"key\":\"" + key.text() + "\"}")
                .post("/admin/keys/lookup")
                .then()
                .statusCode(200)
                .body("id", equalTo((int) key.id()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/admin", "/admin/nothing", "/admin/keys/1/x",
                "/admin/keys/x/usage", "/admin/keys/-1/usage", "/admin/keys/-1/changes"
            })
    void request_forAnUnknownPath_is404(String path) {
        Operator.given().get(path).then().spec(refusal(404, "not_found", equalTo("No such path.")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            DELETE | /admin/keys            | GET, HEAD, OPTIONS, POST
            POST   | /admin/keys/1          | DELETE, GET, HEAD, OPTIONS, PATCH
            GET    | /admin/keys/1/rotation | OPTIONS, POST
            GET    | /admin/keys/1/ban      | DELETE, OPTIONS
            DELETE | /admin/keys/1/usage    | GET, HEAD, OPTIONS
            DELETE | /admin/keys/1/changes  | GET, HEAD, OPTIONS
            DELETE | /admin/usage           | GET, HEAD, OPTIONS
            """)
    void request_ofAMethodThatThePathDoesNotSupport_is405(String method, String path, String allowed) {
        Operator.given("{}")
                .request(method, path)
                .then()
                .spec(refusal(405, "method_not_allowed", equalTo("This path supports " + allowed + ".")))
                .header("Allow", allowed);
    }

    /** Of {@code /admin} and of the console. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/%61dmin/keys", "/%63onsole/keys", "//ROOT/keys",
                "/ROOT;a=b/keys", "/;a=b/ROOT/keys", "/./ROOT/keys",
                "/v1/../ROOT/keys", "/q/../ROOT", "/ROOT%2Fkeys",
                "/ADMIN/keys", "/CONSOLE/keys", "/ROOT/keys;a=b",
                "/ROOT//keys", "/console/assets/../keys", "/console/assets/..%2Fkeys",
                "/console/sign-in/../keys", "/console/sign-in;a/..;/keys", "/console/sign-in/"
            })
    void request_ofAnotherSpellingWithoutCredentials_isNotServed(String path) {
        List<Integer> refusals = path.matches(".*/(\\.|;a/\\.).*") ? List.of(400) : List.of(303, 401, 404);
        for (String root : List.of("admin", "console")) {
            RawHttp response = RawHttp.send("GET", path.replace("ROOT", root), "HTTP/1.1");
            assertTrue(refusals.contains(response.status()), response::toString);
            assertFalse(response.body().matches("(?s).*(secrets|<table|sign-out).*"), response::toString);
        }
    }
}
