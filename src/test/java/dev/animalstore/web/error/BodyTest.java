package dev.animalstore.web.error;

import static dev.animalstore.fixture.Responses.error;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.SampleResource;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which media types a client may send and accept, and bodies that are not strict JSON (RFC 8259) in UTF-8. */
@QuarkusTest
class BodyTest {
    private static final String UNSUPPORTED =
            "{\"code\":\"unsupported_media_type\",\"message\":\"The body must be application/json.\",\"status\":415}";

    private final TestKey key = TestKey.unlimited();

    /** RFC 9110, section 12.5.1: there is one representation. */
    @ParameterizedTest
    @ValueSource(strings = {"text/html", "application/json;q=0", "*/*;q=0, text/plain", "application/json;q=x", "x"})
    void accept_isNotRead(String accept) {
        RestAssured.given().accept(accept).get("/v1/samples").then().spec(error(401, "missing_api_key"));
        key.given().accept(accept).get("/v1/samples").then().statusCode(200).contentType("application/json");
        key.given()
                .accept(accept)
                .contentType("application/json")
                .body(SampleResource.SAMPLE)
                .post("/v1/samples")
                .then()
                .statusCode(201)
                .contentType("application/json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: text/plain", "Content-Type: application/x-www-form-urlencoded",
                "Content-Type: text/json", "Content-Type: multipart/form-data; boundary=x",
                "Content-Type: application/xml", "Content-Type: application/merge-patch+json",
                "Content-Type: x", "Content-Type: text/html; charset=utf-8",
                "Content-Type: */*", "Content-Type: application/jsonx",
                "Content-Type: application/*", "Content-Type: application/json\r\nContent-Type: text/plain",
                "Content-Type: ", "X-Other: without a content type"
            })
    void contentType_otherThanOneOfJson_isUnsupported(String header) {
        RawHttp response = post(header);

        assertThat(response.status(), equalTo(415));
        assertThat(response.body(), equalTo(UNSUPPORTED));
        assertThat(response.header("Content-Type"), equalTo("application/json"));
        assertThat(response.header("Accept"), equalTo("application/json"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json", "application/json; charset=utf-8",
                "Application/JSON", "application/json;charset=\"UTF-8\""
            })
    void contentType_json_isAccepted(String contentType) {
        RawHttp response = post("Content-Type: " + contentType);

        assertThat(response.status(), equalTo(201));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name=Rex", "{", "}",
                "{'name': 'Rex'}", "{name: \"Rex\"}", "{\"number\": 03}",
                "{\"number\": +3}", "{\"number\": NaN}", "{\"number\": 3,}",
                "{\"name\": \"Re\nx\"}", "{\"name\": \"\\x\"}", "{\"number\": 3} // comment",
                "{\"number\": 3", "{\"name\": 1, \"name\": 1}", "{\"other\": {\"a\": 1, \"a\": 1}}",
                "{\"number\": 3} {}", "{\"number\": 3} x", "{\"name\": 1, \"n\\u0061me\": 1}",
                "{\"number\": 3}]"
            })
    void body_thatIsNotStrictJson_isMalformed(String body) {
        assertMalformed(body).body("message", containsString("(line "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void body_nestedAbsurdlyDeep_isMalformed(String opening) {
        assertMalformed("{\"name\":\"Rex\",\"number\":3,\"other\":" + opening.repeat(2_000))
                .body("message", containsString("nested too deeply"));
    }

    /** Bytes that never occur in UTF-8, and an incomplete sequence. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u00ff",
                "\u00fe",
                "\u0080",
                "\u00c3",
                "\u00f8\u0088\u0080\u0080\u0080",
                "\u00c1\u0081",
                "\u00f4\u0090\u0080\u0080"
            })
    void body_thatIsNotUtf8_isMalformed(String bytes) {
        assertMalformed(("{\"name\":\"R" + bytes + "x\",\"number\":3}").getBytes(StandardCharsets.ISO_8859_1));
    }

    private ValidatableResponse assertMalformed(String body) {
        return assertMalformed(body.getBytes(StandardCharsets.UTF_8));
    }

    private ValidatableResponse assertMalformed(byte[] body) {
        return key.given()
                .contentType("application/json")
                .body(body)
                .post("/v1/samples")
                .then()
                .spec(error(400, "malformed_json"));
    }

    /** Posts a sample over a raw connection, since an HTTP client would add a content type. */
    private RawHttp post(String header) {
        return RawHttp.send("POST", "/v1/samples", SampleResource.SAMPLE, key, header);
    }
}
