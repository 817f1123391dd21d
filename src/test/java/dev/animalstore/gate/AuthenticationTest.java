package dev.animalstore.gate;

import static dev.animalstore.fixture.Responses.error;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.animalstore.fixture.TestKey;
import dev.animalstore.key.BearerKey;
import dev.animalstore.key.KeyEnvironment;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.security.SecureRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class AuthenticationTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String PLAIN_CHALLENGE = "Bearer realm=\"animal-store\"";
    private static final String INVALID_TOKEN = "Bearer realm=\"animal-store\", error=\"invalid_token\"";

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/pets",
        "POST, /v1/pets",
        "GET, /v1/pets/1",
        "GET, /v1/store/orders",
        "DELETE, /v1/pets",
        "GET, /v1/nothing",
        "GET, /v1",
        "OPTIONS, /v1/pets"
    })
    void request_withoutKey_isRefused(String method, String path) {
        RestAssured.request(method, path)
                .then()
                .spec(error(401, "missing_api_key"))
                .header("WWW-Authenticate", equalTo(PLAIN_CHALLENGE))
                .body("message", equalTo("Send an API key: Authorization: Bearer <API key>"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Basic dXNlcjpwYXNz",
                "Digest username=\"a\"",
                "Bearer",
                "ask_test_",
                "Token abc",
                "BearerX abc",
                "\"\""
            })
    void request_ofAnotherScheme_isRefusedWithoutSpeakingOfAToken(String authorization) {
        RestAssured.given()
                .header("Authorization", authorization)
                .get("/v1/pets")
                .then()
                .spec(error(401, "invalid_api_key"))
                .header("WWW-Authenticate", equalTo(PLAIN_CHALLENGE))
                .body("message", equalTo("The API key is not valid."));
    }

    @ParameterizedTest
    @MethodSource("invalidKeys")
    void request_ofInvalidKey_isRefusedWithoutSayingWhy(Function<TestKey, String> invalid) {
        RestAssured.given()
                .header("Authorization", "Bearer " + invalid.apply(TestKey.of("free")))
                .get("/v1/pets")
                .then()
                .spec(error(401, "invalid_api_key"))
                .header("WWW-Authenticate", equalTo(INVALID_TOKEN))
                .body("message", equalTo("The API key is not valid."));
    }

    @Test
    void request_ofTwoValidKeys_isRefused() {
        RestAssured.given()
                .header("Authorization", "Bearer " + TestKey.of("free").text())
                .header("Authorization", "Bearer " + TestKey.of("free").text())
                .get("/v1/pets")
                .then()
                .spec(error(401, "invalid_api_key"))
                .header("WWW-Authenticate", equalTo(INVALID_TOKEN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer ", "bearer ", "BEARER ", "Bearer   "})
    void request_ofValidKey_isAdmittedHoweverTheSchemeIsSpelled(String scheme) {
        RestAssured.given()
                .header("Authorization", scheme + TestKey.of("free").text())
                .get("/v1/pets")
                .then()
                .statusCode(200)
                .header("X-RateLimit-Remaining", "59");
    }

    @Test
    void request_ofKeyThatWillExpire_isAdmitted() {
        TestKey key = TestKey.of("free").update("expires_at = now() + interval '1 hour'");

        key.given().get("/v1/pets").then().statusCode(200);
    }

    @Test
    void request_ofInvalidKey_isChargedToTheAddressOnly() {
        TestKey key = TestKey.of("free");

        RestAssured.given()
                .header("Authorization", "Bearer " + key.text() + "x")
                .get("/v1/pets")
                .then()
                .spec(error(401, "invalid_api_key"))
                .header("X-RateLimit-Limit", "300")
                .header("RateLimit-Policy", "\"minute\";q=300;w=60, \"day\";q=10000;w=86400");
        key.given().get("/v1/pets").then().statusCode(200).header("X-RateLimit-Remaining", "59");
    }

    /** Changes that make the text of a valid key invalid, or the key itself. */
    static Stream<Arguments> invalidKeys() {
        return Stream.of(
                invalid("no key at all", key -> "secret"),
                invalid("too short", key -> key.text().substring(0, key.text().length() - 1)),
                invalid("too long", key -> key.text() + "0"),
                invalid("twice", key -> key.text() + " " + key.text()),
                invalid("wrong check", key -> key.text().substring(0, 41) + "zzzzzz"),
                invalid("wrong case", key -> key.text().replace("ask_", "ASK_")),
                invalid(
                        "not base62",
                        key -> key.text().substring(0, 40) + "-" + key.text().substring(41)),
                invalid(
                        "of live",
                        key -> BearerKey.generate(KeyEnvironment.LIVE, RANDOM).reveal()),
                invalid(
                        "unknown",
                        key -> BearerKey.generate(KeyEnvironment.TEST, RANDOM).reveal()),
                invalid("revoked", key -> key.update("revoked_at = now()").text()),
                invalid(
                        "expired",
                        key -> key.update("expires_at = now() - interval '1 second'")
                                .text()),
                invalid(
                        "secret expired",
                        key -> key.updateSecret("expires_at = now() - interval '1 second'")
                                .text()));
    }

    private static Arguments invalid(String why, Function<TestKey, String> text) {
        return arguments(named(why, text));
    }
}
