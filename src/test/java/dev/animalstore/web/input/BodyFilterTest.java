package dev.animalstore.web.input;

import static dev.animalstore.fixture.Responses.error;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.startsWith;

import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies are read up to 64 KiB, whether their length is declared or not. */
@QuarkusTest
class BodyFilterTest {
    private static final int MAXIMUM_BYTES = 65_536;
    private static final String METERED = "\"minute\";r=[0-9]+;t=[0-9]+, \"day\";r=[0-9]+;t=[0-9]+";
    private static final String TOO_LARGE =
            "{\"code\":\"payload_too_large\",\"message\":\"The body must not exceed 65536 bytes.\",\"status\":413}";

    private final TestKey key = TestKey.unlimited();

    @Test
    void body_ofExactlyTheMaximum_isAccepted() throws Exception {
        String sample = sample(MAXIMUM_BYTES);

        post(sample).then().statusCode(201);
        assertThat(postChunks(sample).status(), equalTo(201));
    }

    @Test
    void body_overTheMaximum_isTooLarge() {
        post(sample(MAXIMUM_BYTES + 1))
                .then()
                .spec(error(413, "payload_too_large"))
                .header("Connection", equalTo("close"))
                .body(equalTo(TOO_LARGE));
    }

    /** A client that only then reads the response gets it too. */
    @ParameterizedTest
    @ValueSource(ints = {MAXIMUM_BYTES + 1, 2 * MAXIMUM_BYTES, 256 * MAXIMUM_BYTES})
    void body_overTheMaximumInChunks_isTooLarge(int bytes) throws Exception {
        RawHttp response = postChunks(sample(bytes));

        assertThat(response.status(), equalTo(413));
        assertThat(response.body(), equalTo(TOO_LARGE));
        assertThat(response.header("X-RateLimit-Limit"), equalTo("1000000"));
    }

    /** The response comes before any of the body. */
    @ParameterizedTest
    @ValueSource(strings = {"65537\r\nExpect: 100-continue", "1048577", "1000000000000", "9223372036854775807"})
    void body_declaredOverTheMaximum_isTooLargeBeforeItIsSent(String length) throws IOException {
        try (KeptConnection connection = new KeptConnection(RestAssured.port)) {
            RawHttp response =
                    connection.send(head("Content-Length: " + length)).read();
            assertThat(response.status(), equalTo(413));
            assertThat(response.body(), equalTo(TOO_LARGE));
            assertThat(response.header("RateLimit"), matchesPattern(METERED));
        }
    }

    @Test
    void body_withAnExpectation_isRequestedAndRead() {
        RawHttp response =
                RawHttp.send(head("Content-Length: 100\r\nConnection: close\r\nExpect: 100-continue") + sample(100));

        assertThat(response.status(), equalTo(100));
        assertThat(response.body(), startsWith("HTTP/1.1 201 Created"));
    }

    /** RFC 9110, section 15.5.16. */
    @ParameterizedTest
    @ValueSource(strings = {"gzip", "br", "identity, gzip", "x"})
    void body_withAnEncoding_isUnsupported(String encoding) {
        RawHttp response = RawHttp.send(
                "POST",
                "/v1/samples",
                sample(100),
                key,
                "Content-Type: application/json",
                "Content-Encoding: " + encoding);

        assertThat(response.status(), equalTo(415));
        assertThat(response.header("Accept-Encoding"), equalTo("identity"));
        assertThat(
                response.body(),
                equalTo("{\"code\":\"unsupported_media_type\",\"message\":\"The body must have no Content-Encoding.\","
                        + "\"status\":415}"));
    }

    @Test
    void body_withTheEncodingIdentity_isAccepted() {
        RawHttp response = RawHttp.send(
                "POST",
                "/v1/samples",
                sample(100),
                key,
                "Content-Type: application/json",
                "Content-Encoding: Identity");

        assertThat(response.status(), equalTo(201));
    }

    /** RFC 8259, section 8.1. */
    @Test
    void body_behindAByteOrderMark_isRead() {
        RawHttp response = RawHttp.send(
                "POST", "/v1/samples", "\u00ef\u00bb\u00bf" + sample(100), key, "Content-Type: application/json");

        assertThat(response.status(), equalTo(201));
        assertThat(response.body(), startsWith("{\"name\":"));
    }

    private Response post(String body) {
        return key.given().contentType("application/json").body(body).post("/v1/samples");
    }

    private RawHttp postChunks(String body) throws IOException {
        try (KeptConnection connection = new KeptConnection(RestAssured.port)) {
            String chunks = Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n";
            return connection.send(head("Transfer-Encoding: chunked") + chunks).read();
        }
    }

    private String head(String headers) {
        return RawHttp.head("POST /v1/samples", key.text(), headers);
    }

    private static String sample(int bytes) {
        String start = "{\"name\":\"Rex\",\"number\":3,\"filler\":\"";
        return start + "x".repeat(bytes - start.length() - 2) + "\"}";
    }
}
