package dev.animalstore.metering.gate;

import static dev.animalstore.fixture.Responses.error;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Named.named;

import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.metering.key.BearerKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests are admitted: every spelling of a path of the API requires a key. */
@QuarkusTest
class AuthenticationTest {
    private static final String PLAIN_CHALLENGE = "Bearer realm=\"animal-store\"";
    private static final String INVALID_TOKEN = "Bearer realm=\"animal-store\", error=\"invalid_token\"";

    private static final String SPELLINGS = """
            /v1 /v1/ /v1/samples /v1/samples/ /v1/samples// /v1/samples/1 /v1/samples? /v1/samples?limit=1
            /v1/samples#x //v1/samples ///v1///samples /v1//samples /./v1/samples /v1/./samples /v1/samples/.
            /v1/../v1/samples /x/../v1/samples /q/../v1/samples /q/openapi/../../v1/samples /../v1/samples
            /q/%2e%2e/v1/samples /x/%2e%2e/v1/samples /x/%2E./v1/samples /x/..%2fv1/samples /%2e/v1/samples
            /v1/%2e/samples /%2e%2e/v1/samples /%761/samples /%76%31/samples /v%31/s%61mples /v1/s%61mples
            /v1%2Fsamples /v1%2fsamples /%2Fv1/samples /%2fv1%2fsamples %2Fv1/samples /%252Fv1/samples
            /%2576%2531/samples /%252e/v1/samples /;x=1/v1/samples /;/v1/samples /v1;x=1/samples /v1;/samples
            /v1/;x=1/samples /v1/samples;x=1 /v1%3Bx=1/samples /v1/samples%3bx=1 /.;/v1/samples
            /x/..;/v1/samples /v1\\samples \\v1\\samples /\\v1/samples /v1%5Csamples /%5Cv1/samples
            /x/..%5cv1/samples /%00/v1/samples /v1%00/samples /v1/samples%00 /v1/samples%00.json /%20/v1/samples
            /v1%20/samples /v1/samples%20 /%09v1/samples /v1%0a/samples /v1/samples%23 /v1/samples%3Flimit=1
            /x?/v1/samples /V1/samples /V1/SAMPLES /v1/Samples /%EF%BD%961/samples /v1/%C0%AFsamples
            /v1/samples.json /v1/samples/1/.. http://localhost/v1/samples http://other.example/v1/samples
            HTTP://LOCALHOST/v1/samples https://localhost/v1/samples http://localhost//v1/samples
            http:/v1/samples http://localhost/q/../v1/samples http://user:secret@localhost/v1/samples
            //localhost/v1/samples v1/samples ?/v1/samples *
            """;

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/samples",
        "POST, /v1/samples",
        "DELETE, /v1/samples",
        "OPTIONS, /v1/samples",
        "GET, /v1/samples/1",
        "GET, /v1/nothing",
        "GET, /v1"
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
                .get("/v1/samples")
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
                .get("/v1/samples")
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
                .get("/v1/samples")
                .then()
                .statusCode(200)
                .headers("X-RateLimit-Limit", "60", "X-RateLimit-Remaining", "59")
                .header("RateLimit-Policy", "\"minute\";q=60;w=60, \"day\";q=1000;w=86400")
                .header("RateLimit", matchesPattern("\"minute\";r=59;t=60, \"day\";r=999;t=[0-9]{1,5}"));
    }

    /** Changes that make the text of a valid key invalid, or the key itself. */
    static Stream<Named<Function<TestKey, String>>> invalidKeys() {
        return Stream.of(
                named("wrong check", key -> key.text().substring(0, 41) + "zzzzzz"),
                named(
                        "of live",
                        key -> BearerKey.of("ask_live_", "x".repeat(32)).reveal()),
                named(
                        "unknown",
                        key -> BearerKey.of("ask_test_", "x".repeat(32)).reveal()),
                named("revoked", key -> key.update("revoked_at = now()").text()),
                named("expired", key -> key.update("expires_at = now()").text()),
                named(
                        "secret expired",
                        key -> key.updateSecret("expires_at = now()").text()));
    }

    static String[] spellings() {
        return SPELLINGS.split("\\s+");
    }

    @ParameterizedTest
    @MethodSource("spellings")
    void spelling_withoutKey_revealsNothing(String target) {
        for (String version : new String[] {"HTTP/1.1", "HTTP/1.0"}) {
            assertGivesNothingAway(RawHttp.send("GET", target, version));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HEAD", "OPTIONS", "TRACE", "POST", "PUT", "PATCH", "DELETE",
                "CONNECT", "PROPFIND", "QUERY", "FOO", "get", "Get", "GETS"
            })
    void method_withoutKey_revealsNothing(String method) {
        assertGivesNothingAway(RawHttp.send(method, "/v1/samples", "HTTP/1.1"));
    }

    @Test
    void header_ofTwoKeys_revealsNothing() {
        String header = "Authorization: Bearer " + TestKey.of("free").text();

        RawHttp response = RawHttp.send("GET", "/v1/samples", "HTTP/1.1", header, header);

        assertEquals(401, response.status());
        assertGivesNothingAway(response);
    }

    @ParameterizedTest
    @CsvSource({"/q/openapi, 200", "/x, 404", "/v1x/samples, 404", "/v10/samples, 404"})
    void path_outsideTheApi_isNotMetered(String path, int status) {
        RawHttp response = RawHttp.send("GET", path, "HTTP/1.1");

        assertEquals(status, response.status());
        assertEquals("", response.header("X-RateLimit-Limit"));
    }

    /** Shows that the client of this test could see samples. */
    @ParameterizedTest
    @CsvSource({"/v1/samples, HTTP/1.1", "/v1/samples, HTTP/1.0", "http://localhost/v1/samples, HTTP/1.1"})
    void spelling_withKey_returnsSamples(String target, String version) {
        String header = "authorization: Bearer " + TestKey.of("free").text();

        RawHttp response = RawHttp.send("GET", target, version, header);

        assertEquals(200, response.status());
        assertTrue(response.body().contains("\"number\""));
        assertEquals("59", response.header("X-RateLimit-Remaining"));
    }

    private static void assertGivesNothingAway(RawHttp response) {
        assertTrue(response.status() / 100 != 2 && response.status() < 500, response::head);
        assertFalse(response.body().contains("number"), response::head);
        if (response.status() == 401) {
            assertEquals("300", response.header("X-RateLimit-Limit"));
            assertTrue(response.header("WWW-Authenticate").startsWith("Bearer realm=\"animal-store\""), response::head);
        }
    }
}
