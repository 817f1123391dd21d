package dev.animalstore.web.error;

import static dev.animalstore.fixture.Responses.error;
import static org.hamcrest.Matchers.equalTo;

import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors of requests with a valid key that fail outside a resource's own rules. */
@QuarkusTest
class ErrorsTest {
    private final TestKey key = TestKey.unlimited();

    @ParameterizedTest
    @CsvSource({
        "GET, /v1", "GET, /v1/nothing", "GET, /v1/samples/1/photos",
        "GET, /v1/Samples", "GET, /v1/v1/samples", "OPTIONS, /v1/nothing",
        "OPTIONS, /v1/samples/1/photos"
    })
    void path_thatIsUnknown_isNotFound(String method, String path) {
        key.given()
                .request(method, path)
                .then()
                .spec(error(404, "not_found"))
                .body("message", equalTo("No such path."));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    PUT    | /v1/samples      | GET, HEAD, OPTIONS, POST
                    DELETE | /v1/samples      | GET, HEAD, OPTIONS, POST
                    PATCH  | /v1/samples      | GET, HEAD, OPTIONS, POST
                    POST   | /v1/samples/1    | GET, HEAD, OPTIONS
                    PUT    | /v1/samples/1    | GET, HEAD, OPTIONS
                    PATCH  | /v1/samples/1    | GET, HEAD, OPTIONS
                    DELETE | /v1/samples/1    | GET, HEAD, OPTIONS
                    """)
    void method_thatThePathDoesNotHave_isNotAllowed(String method, String path, String allowed) {
        key.given()
                .request(method, path)
                .then()
                .spec(error(405, "method_not_allowed"))
                .header("Allow", equalTo(allowed))
                .body("message", equalTo("This path supports " + allowed + "."));
    }

    /** As those of a 405. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /v1/samples   | GET, HEAD, OPTIONS, POST
                    /v1/samples/1 | GET, HEAD, OPTIONS
                    """)
    void options_areTheMethodsOfThePath(String path, String allowed) {
        key.given().options(path).then().statusCode(200).header("Allow", equalTo(allowed));
    }

    /** The key, the quota, the method, the body: a request with every fault is refused for the first one. */
    @Test
    void checks_areMadeInTheOrderOfTheContract() {
        TestKey once = TestKey.of(1, 1);

        unfit(new TestKey(once.id(), once.text() + "0"))
                .put("/v1/samples")
                .then()
                .spec(error(401, "invalid_api_key"));
        unfit(once).put("/v1/samples").then().spec(error(405, "method_not_allowed"));
        unfit(once).put("/v1/samples").then().spec(error(429, "rate_limit_exceeded"));
    }

    private static RequestSpecification unfit(TestKey caller) {
        return caller.given().contentType("text/plain").body("{");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/nothing, 404", "PUT, /v1/samples, 405",
        "GET, /v1/samples?limit=0, 400", "POST, /v1/samples, 415",
        "GET, /v1/samples/abc, 404"
    })
    void request_thatFailsBehindTheGate_isCharged(String method, String path, int status) {
        TestKey free = TestKey.of("free");

        free.given()
                .request(method, path)
                .then()
                .statusCode(status)
                .header("X-RateLimit-Limit", "60")
                .header("X-RateLimit-Remaining", "59");
        free.given().get("/v1/samples").then().header("X-RateLimit-Remaining", "58");
    }
}
