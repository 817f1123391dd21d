package dev.animalstore.gate;

import static dev.animalstore.fixture.Responses.error;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.junit.jupiter.api.Named.named;

import dev.animalstore.fixture.TestKey;
import dev.animalstore.key.BearerKey;
import dev.animalstore.key.BearerKey.Environment;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.security.SecureRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class AuthenticationTest {
    private static final String PLAIN_CHALLENGE = "Bearer realm=\"animal-store\"";
    private static final String INVALID_TOKEN = "Bearer realm=\"animal-store\", error=\"invalid_token\"";

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/pets", "POST, /v1/pets", "DELETE, /v1/pets", "OPTIONS, /v1/pets",
        "GET, /v1/pets/1", "GET, /v1/store/orders", "GET, /v1/nothing", "GET, /v1"
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
                "Basic dXNlcjpwYXNz", "Digest username=\"a\"", "Token abc",
                "BearerX abc", "Bearer", "ask_test_",
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
                .header("X-RateLimit-Limit", "300")
                .header("RateLimit-Policy", "\"minute\";q=300;w=60, \"day\";q=10000;w=86400")
                .body("message", equalTo("The API key is not valid."));
    }

    @Test
    void request_overTheMinute_isRefusedAndNotChargedToTheDay() {
        TestKey key = TestKey.of(1, 10);
        key.list().statusCode(200).header("X-RateLimit-Remaining", "0");
        key.list()
                .spec(error(429, "rate_limit_exceeded"))
                .header("Retry-After", matchesPattern("[1-9][0-9]?"))
                .headers("X-RateLimit-Limit", "1", "X-RateLimit-Remaining", "0")
                .header("RateLimit", matchesPattern("\"minute\";r=0;t=[0-9]{1,2}, \"day\";r=9;t=[0-9]{1,5}"))
                .body("message", matchesPattern("The per-minute quota is exceeded\\. Retry in [0-9]+ s\\."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer ", "bearer ", "BEARER ", "Bearer   "})
    void request_ofValidKey_isAdmittedHoweverTheSchemeIsSpelledAndShowsBothWindows(String scheme) {
        RestAssured.given()
                .header("Authorization", scheme + TestKey.of("free").text())
                .get("/v1/pets")
                .then()
                .statusCode(200)
                .headers("X-RateLimit-Limit", "60", "X-RateLimit-Remaining", "59")
                .header("RateLimit-Policy", "\"minute\";q=60;w=60, \"day\";q=1000;w=86400")
                .header("RateLimit", matchesPattern("\"minute\";r=59;t=60, \"day\";r=999;t=[0-9]{1,5}"));
    }

    /** Changes that make the text of a valid key invalid, or the key itself. */
    static Stream<Named<Function<TestKey, String>>> invalidKeys() {
        return Stream.of(
                named("no key at all", key -> "secret"),
                named("twice", key -> key.text() + " " + key.text()),
                named("wrong check", key -> key.text().substring(0, 41) + "zzzzzz"),
                named("of live", key -> generated(Environment.LIVE)),
                named("unknown", key -> generated(Environment.TEST)),
                named("revoked", key -> key.update("revoked_at = now()").text()),
                named("expired", key -> key.update("expires_at = now()").text()),
                named(
                        "secret expired",
                        key -> key.updateSecret("expires_at = now()").text()));
    }

    private static String generated(Environment environment) {
        return BearerKey.generate(environment, new SecureRandom()).reveal();
    }
}
