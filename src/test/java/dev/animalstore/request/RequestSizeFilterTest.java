package dev.animalstore.request;

import static dev.animalstore.fixture.Responses.error;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses to a request whose head is too large or unreadable. */
@QuarkusTest
class RequestSizeFilterTest {
    private static final String TARGET = "/v1/pets?limit=1&x=";

    private static TestKey key;

    @BeforeAll
    static void issueKey() {
        key = TestKey.unlimited();
    }

    @Test
    void target_ofExactlyTheMaximum_isServed() {
        key.given().get(target(RequestSizeFilter.MAXIMUM_TARGET)).then().statusCode(200);
    }

    @ParameterizedTest
    @ValueSource(ints = {RequestSizeFilter.MAXIMUM_TARGET + 1, 8_000})
    void target_overTheMaximum_isTooLong(int length) {
        key.given().get(target(length)).then().spec(error(400, "invalid_parameter"));
    }

    @Test
    void target_overTheMaximumOfOptions_isTooLong() {
        RawHttp response = RawHttp.send("OPTIONS", target(RequestSizeFilter.MAXIMUM_TARGET + 1), "", key);

        assertThat(response.status(), equalTo(400));
        assertThat(response.body(), containsString("{\"code\":\"invalid_parameter\""));
        assertThat(response.header("Allow"), equalTo(""));
    }

    @ParameterizedTest
    @ValueSource(ints = {RequestSizeFilter.MAXIMUM_HEADERS, 7_500})
    void headers_overTheMaximum_areTooLarge(int length) {
        key.given().header("X-Large", "a".repeat(length)).get("/v1/pets").then().spec(error(400, "invalid_parameter"));
    }

    @Test
    void headers_ofAlmostTheMaximum_areServed() {
        key.given()
                .header("X-Large", "a".repeat(RequestSizeFilter.MAXIMUM_HEADERS - 500))
                .get("/v1/pets")
                .then()
                .statusCode(200);
    }

    @Test
    void target_overTheMaximumWithoutKey_isUnauthorized() {
        RestAssured.given().get(target(8_000)).then().spec(error(401, "missing_api_key"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"]:x[", "a:999999", "a b", "http://a"})
    void host_thatIsMalformed_isInvalid(String host) {
        RawHttp response = RawHttp.send("GET /v1/pets HTTP/1.1\r\nHost: " + host
                + "\r\nConnection: close\r\nAuthorization: Bearer " + key.text() + "\r\n\r\n");

        assertThat(response.status(), equalTo(400));
        assertThat(response.header("Content-Type"), equalTo("application/json"));
        assertThat(response.body(), containsString("{\"code\":\"invalid_parameter\",\"message\":\"The Host header is"));
    }

    @ParameterizedTest
    @CsvSource({"GET, v1/pets", "OPTIONS, *"})
    void path_thatDoesNotBeginWithASlash_isNotFound(String method, String target) {
        RawHttp response = RawHttp.send(method, target, "HTTP/1.1");

        assertThat(response.status(), equalTo(404));
        assertThat(response.body(), equalTo("{\"code\":\"not_found\",\"message\":\"No such path.\",\"status\":404}"));
    }

    /** The HTTP server refuses these requests before any filter, without a body. */
    @ParameterizedTest
    @CsvSource({"/v1/pets/%zz, 400", "/v1/pets?limit=%, 400", "/v1/[, 400"})
    void target_thatIsNoUri_isRefusedWithoutABody(String target, int status) {
        RawHttp response = RawHttp.send("GET", target, "HTTP/1.1");

        assertThat(response.status(), equalTo(status));
        assertThat(response.body(), equalTo(""));
    }

    /** Refusals by the HTTP server's own limits have no body either. */
    @Test
    void head_overTheServersMaximum_isRefusedWithoutABody() {
        assertThat(RawHttp.send("GET", target(9_000), "HTTP/1.1").status(), equalTo(414));
        assertThat(
                RawHttp.send("GET", "/v1/pets", "HTTP/1.1", "X-Large: " + "a".repeat(9_000))
                        .status(),
                equalTo(431));
    }

    private static String target(int length) {
        return TARGET + "a".repeat(length - TARGET.length());
    }
}
