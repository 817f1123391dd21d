package dev.animalstore.error;

import static dev.animalstore.fixture.Responses.error;
import static dev.animalstore.fixture.Responses.metered;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors of requests with a valid key that fail outside a resource's own rules. */
@QuarkusTest
class ErrorsTest {
    private static final String PET = "{\"name\":\"Rex\",\"categoryId\":3}";

    private static TestKey key;

    @BeforeAll
    static void issueKey() {
        key = TestKey.unlimited();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1",
                "/v1/nothing",
                "/v1/pets/1/photos",
                "/v1/store",
                "/v1/store/orders/1",
                "/v1/Pets",
                "/v1/v1/pets"
            })
    void path_thatIsUnknown_isNotFound(String path) {
        key.given().get(path).then().spec(error(404, "not_found")).body("message", equalTo("No such path."));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    PUT    | /v1/pets         | GET, HEAD, OPTIONS, POST
                    DELETE | /v1/pets         | GET, HEAD, OPTIONS, POST
                    PATCH  | /v1/pets         | GET, HEAD, OPTIONS, POST
                    POST   | /v1/pets/1       | GET, HEAD, OPTIONS
                    PUT    | /v1/pets/1       | GET, HEAD, OPTIONS
                    PATCH  | /v1/pets/1       | GET, HEAD, OPTIONS
                    DELETE | /v1/pets/1       | GET, HEAD, OPTIONS
                    POST   | /v1/store/orders | GET, HEAD, OPTIONS
                    DELETE | /v1/store/orders | GET, HEAD, OPTIONS
                    """)
    void method_thatThePathDoesNotHave_isNotAllowed(String method, String path, String allowed) {
        key.given()
                .contentType("application/json")
                .body(PET)
                .request(method, path)
                .then()
                .spec(error(405, "method_not_allowed"))
                .header("Allow", equalTo(allowed))
                .body("message", equalTo("This path supports " + allowed + "."));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /v1/pets         | GET, HEAD, OPTIONS, POST
                    /v1/pets/1       | GET, HEAD, OPTIONS
                    /v1/store/orders | GET, HEAD, OPTIONS
                    """)
    void method_options_listsTheMethodsOfThePath(String path, String allowed) {
        key.given()
                .options(path)
                .then()
                .spec(metered())
                .statusCode(200)
                .header("Allow", equalTo(allowed))
                .body(equalTo(""));
    }

    @Test
    void method_optionsOfAnUnknownPath_isNotFound() {
        key.given().options("/v1/nothing").then().spec(error(404, "not_found"));
    }

    @Test
    void order_ofBadKeyAndBadBody_isUnauthorized() {
        RestAssured.given()
                .header("Authorization", "Bearer " + key.text() + "0")
                .contentType("text/plain")
                .body("{")
                .post("/v1/pets")
                .then()
                .spec(error(401, "invalid_api_key"));
    }

    @Test
    void order_ofSpentQuotaAndBadBody_isTooManyRequests() {
        TestKey spent = TestKey.of(1, 1);
        spent.given().get("/v1/pets");

        spent.given()
                .contentType("text/plain")
                .body("{")
                .post("/v1/pets")
                .then()
                .spec(error(429, "rate_limit_exceeded"));
    }

    @Test
    void order_ofBadMethodAndBadBody_isMethodNotAllowed() {
        key.given().contentType("text/plain").body("{").put("/v1/pets").then().spec(error(405, "method_not_allowed"));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/nothing, 404",
        "PUT, /v1/pets, 405",
        "GET, /v1/pets?limit=0, 400",
        "POST, /v1/pets, 415",
        "GET, /v1/pets/abc, 404"
    })
    void request_thatFailsBehindTheGate_isCharged(String method, String path, int status) {
        TestKey free = TestKey.of("free");

        free.given()
                .request(method, path)
                .then()
                .statusCode(status)
                .header("X-RateLimit-Limit", "60")
                .header("X-RateLimit-Remaining", "59");
        free.given().get("/v1/pets").then().header("X-RateLimit-Remaining", "58");
    }

    @Test
    void defect_isInternalErrorWithNothingButAReference() {
        TestDatabase.whileOrdersAre(
                "select 1 as id",
                () -> key.given()
                        .get("/v1/store/orders")
                        .then()
                        .spec(error(500, "internal_error"))
                        .body("message", matchesPattern("An internal error occurred\\. Reference: [0-9a-f-]{36}\\.?"))
                        .body(not(containsString("store_order"))));
    }

    @Test
    void databaseOutage_isServiceUnavailable() {
        TestDatabase.whileOrdersAre(
                TestDatabase.OUT_OF_REACH,
                () -> key.given()
                        .get("/v1/store/orders")
                        .then()
                        .spec(error(503, "service_unavailable"))
                        .header("Retry-After", matchesPattern("[1-9][0-9]*")));
    }
}
