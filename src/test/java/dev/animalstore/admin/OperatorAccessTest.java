package dev.animalstore.admin;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Access to the operators' API, and its responses to requests that match no operation. */
@QuarkusTest
class OperatorAccessTest {
    @TestHTTPResource
    URI address;

    @ParameterizedTest
    @ValueSource(strings = {"/admin", "/admin/keys", "/admin/keys/1", "/admin/nothing"})
    void request_withoutAToken_is401AndRevealsNoPaths(String path) {
        Operator.refused(RestAssured.get(path).then(), 401, "missing_api_key", equalTo("Send the operators' token."))
                .header("WWW-Authenticate", "Bearer realm=\"animal-store-admin\"")
                .header("X-RateLimit-Limit", nullValue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer",
                "Bearer ",
                "Bearer operators-token-for-development-onl",
                "Bearer operators-token-for-development-only2",
                "Bearer OPERATORS-TOKEN-FOR-DEVELOPMENT-ONLY",
                "Basic operators-token-for-development-only",
                "operators-token-for-development-only"
            })
    void request_withAnotherToken_is401(String authorization) {
        Operator.refused(
                        RestAssured.given()
                                .header("Authorization", authorization)
                                .get("/admin/keys")
                                .then(),
                        401,
                        "invalid_api_key",
                        equalTo("The operators' token is not valid."))
                .header("WWW-Authenticate", "Bearer realm=\"animal-store-admin\", error=\"invalid_token\"");
    }

    @Test
    void request_withTwoTokens_is401() {
        Operator.given()
                .header("Authorization", "Bearer another")
                .get("/admin/keys")
                .then()
                .statusCode(401)
                .body("code", equalTo("invalid_api_key"));
    }

    @Test
    void request_withACustomersKey_is401() {
        TestKey key = TestKey.of("business");
        key.given().get("/admin/keys").then().statusCode(401).body("code", equalTo("invalid_api_key"));
        key.given().get("/v1/pets").then().statusCode(200).header("X-RateLimit-Remaining", "999");
    }

    @Test
    void token_onTheApi_isNoKey() {
        Operator.given().get("/v1/pets").then().statusCode(401).body("code", equalTo("invalid_api_key"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/%61dmin/keys",
                "//admin/keys",
                "/admin;a=b/keys",
                "/;a=b/admin/keys",
                "/./admin/keys",
                "/v1/../admin/keys",
                "/q/../admin/keys",
                "/admin%2Fkeys",
                "/ADMIN/keys"
            })
    void request_withoutATokenByAnotherSpellingOfThePath_isNeverServed(String path)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://" + address.getHost() + ":" + address.getPort() + path))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        assertTrue(
                response.statusCode() == 401 || response.statusCode() == 404, response.statusCode() + response.body());
        assertFalse(response.body().contains("secrets"), response.body());
    }

    @ParameterizedTest
    @CsvSource({"GET,''", "PATCH,''", "DELETE,''", "POST,/rotation", "DELETE,/ban"})
    void request_forAnUnknownKey_is404(String method, String operation) {
        String body = operation.isEmpty() ? "{}" : "{\"graceSeconds\":0}";
        Operator.refused(
                Operator.given(body)
                        .request(method, "/admin/keys/9223372036854775807" + operation)
                        .then(),
                404,
                "not_found",
                equalTo("No such key."));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/admin", "/admin/nothing", "/admin/keys/x", "/admin/keys/9223372036854775808", "/admin/keys/1/x"
            })
    void request_forAnUnknownPath_is404(String path) {
        Operator.refused(Operator.given().get(path).then(), 404, "not_found", equalTo("No such path."));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PUT    | /admin/keys            | GET, HEAD, OPTIONS, POST
            DELETE | /admin/keys            | GET, HEAD, OPTIONS, POST
            POST   | /admin/keys/1          | DELETE, GET, HEAD, OPTIONS, PATCH
            GET    | /admin/keys/1/rotation | OPTIONS, POST
            GET    | /admin/keys/1/ban      | DELETE, OPTIONS
            """)
    void request_ofAMethodThatThePathDoesNotSupport_is405(String method, String path, String allowed) {
        Operator.refused(
                        Operator.given("{}").request(method, path).then(),
                        405,
                        "method_not_allowed",
                        equalTo("This path supports " + allowed + "."))
                .header("Allow", allowed);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /admin/keys            | GET, HEAD, OPTIONS, POST
            /admin/keys/1          | DELETE, GET, HEAD, OPTIONS, PATCH
            /admin/keys/1/rotation | OPTIONS, POST
            """)
    void options_ofAPath_listsItsMethodsToOperatorsOnly(String path, String allowed) {
        Operator.given().options(path).then().statusCode(200).header("Allow", allowed);
        RestAssured.options(path).then().statusCode(401).header("Allow", nullValue());
    }

    @Test
    void request_thatAcceptsNoJson_is406() {
        Operator.refused(
                Operator.given().accept("text/html").get("/admin/keys").then(),
                406,
                "not_acceptable",
                equalTo("Responses are application/json; the Accept header excludes it."));
    }

    @Test
    void document_ofThePublicApi_doesNotMentionOperators() {
        String document =
                RestAssured.get("/q/openapi").then().statusCode(200).extract().asString();
        assertFalse(document.contains("admin"), document);
        assertEquals(404, RestAssured.get("/q/openapi/admin").statusCode());
    }
}
