package dev.animalstore.error;

import static dev.animalstore.fixture.Responses.error;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies are read up to 64 KiB, whether their length is declared or not. */
@QuarkusTest
class PayloadSizeTest {
    private static final int MAXIMUM_BYTES = 65_536;
    private static final int FAR_OVER = 256 * MAXIMUM_BYTES;
    private static final String REFUSAL =
            "{\"code\":\"payload_too_large\",\"message\":\"The body must not exceed 65536 bytes.\",\"status\":413}";

    private static TestKey key;

    @BeforeAll
    static void issueKey() {
        key = TestKey.unlimited();
    }

    @Test
    void body_ofExactlyTheMaximum_isAccepted() throws Exception {
        assertThat(send(HttpRequest.BodyPublishers.ofString(pet(MAXIMUM_BYTES))).statusCode(), equalTo(201));
    }

    @Test
    void body_ofExactlyTheMaximumInChunks_isAccepted() throws Exception {
        assertThat(send(chunked(pet(MAXIMUM_BYTES))).statusCode(), equalTo(201));
    }

    @Test
    void body_overTheMaximum_isTooLarge() {
        key.given()
                .contentType("application/json")
                .body(pet(MAXIMUM_BYTES + 1))
                .post("/v1/pets")
                .then()
                .spec(error(413, "payload_too_large"))
                .header("Connection", nullValue())
                .body("message", equalTo("The body must not exceed 65536 bytes."));
    }

    @ParameterizedTest
    @ValueSource(ints = {MAXIMUM_BYTES + 1, 2 * MAXIMUM_BYTES})
    void body_overTheMaximumInChunks_isTooLarge(int bytes) throws Exception {
        HttpResponse<String> response = send(chunked(pet(bytes)));

        assertThat(response.statusCode(), equalTo(413));
        assertThat(response.body(), equalTo(REFUSAL));
        assertThat(response.headers().firstValue("X-RateLimit-Limit").orElse(""), equalTo("1000000"));
    }

    /** The server responds before any of the body arrives, and announces that it closes the connection. */
    @ParameterizedTest
    @ValueSource(strings = {"1048577", "1000000000000", "9223372036854775807"})
    void body_declaredOverTheMaximum_isTooLargeBeforeItIsSent(String length) {
        RawHttp response = RawHttp.send(head("Content-Length: " + length));

        assertThat(response.status(), equalTo(413));
        assertThat(response.body(), equalTo(REFUSAL));
        assertThat(response.header("Connection"), equalTo("close"));
        assertThat(response.header("RateLimit"), matchesPattern("\"minute\";r=[0-9]+;t=[0-9]+, \"day\";.*"));
    }

    /** This client sends the whole body before it reads. */
    @Test
    void body_farOverTheMaximum_isTooLargeForAClientThatSendsOn() {
        RawHttp response = RawHttp.send(head("Content-Length: " + FAR_OVER) + pet(FAR_OVER));

        assertThat(response.status(), equalTo(413));
        assertThat(response.body(), equalTo(REFUSAL));
    }

    @Test
    void body_farOverTheMaximumInChunks_isTooLargeForAClientThatSendsOn() throws Exception {
        assertThat(send(chunked(pet(FAR_OVER))).statusCode(), equalTo(413));
    }

    @Test
    void body_declaredOverTheMaximum_isNotRequested() {
        RawHttp response = RawHttp.send(head("Content-Length: 65537\r\nExpect: 100-continue"));

        assertThat(response.status(), equalTo(413));
        assertThat(response.head(), not(containsString("100 Continue")));
    }

    @Test
    void body_overTheMaximumWithoutKey_isUnauthorized() {
        RestAssured.given()
                .contentType("application/json")
                .body(pet(MAXIMUM_BYTES + 1))
                .post("/v1/pets")
                .then()
                .spec(error(401, "missing_api_key"));
    }

    private static HttpResponse<String> send(HttpRequest.BodyPublisher body) throws IOException, InterruptedException {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        return client.send(request().POST(body).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request() {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + "/v1/pets"))
                .header("Authorization", "Bearer " + key.text())
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(10));
    }

    private static HttpRequest.BodyPublisher chunked(String body) {
        return HttpRequest.BodyPublishers.ofInputStream(
                () -> new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }

    private static String head(String headers) {
        return "POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key.text()
                + "\r\nContent-Type: application/json\r\n" + headers + "\r\n\r\n";
    }

    /** A valid pet of the given length. */
    private static String pet(int bytes) {
        String start = "{\"name\":\"Rex\",\"categoryId\":3,\"filler\":\"";
        return start + "x".repeat(bytes - start.length() - 2) + "\"}";
    }
}
