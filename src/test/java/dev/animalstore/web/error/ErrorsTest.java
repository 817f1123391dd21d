package dev.animalstore.web.error;

import static dev.animalstore.fixture.Responses.error;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors of requests with a valid key that fail outside a resource's own rules. */
@QuarkusTest
public class ErrorsTest {
    private final TestKey key = TestKey.unlimited();

    @ParameterizedTest
    @CsvSource({
        "GET, /v1", "GET, /v1/nothing", "GET, /v1/pets/1/photos",
        "GET, /v1/store", "GET, /v1/store/orders/1", "GET, /v1/Pets",
        "GET, /v1/v1/pets", "OPTIONS, /v1/nothing"
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
                .request(method, path)
                .then()
                .spec(error(405, "method_not_allowed"))
                .header("Allow", equalTo(allowed))
                .body("message", equalTo("This path supports " + allowed + "."));
    }

    /** The key, the quota, the method, the body: a request with every fault is refused for the first one. */
    @Test
    void checks_areMadeInTheOrderOfTheContract() {
        TestKey once = TestKey.of(1, 1);

        unfit(new TestKey(once.id(), once.text() + "0")).put("/v1/pets").then().spec(error(401, "invalid_api_key"));
        unfit(once).put("/v1/pets").then().spec(error(405, "method_not_allowed"));
        unfit(once).put("/v1/pets").then().spec(error(429, "rate_limit_exceeded"));
    }

    private static RequestSpecification unfit(TestKey caller) {
        return caller.given().contentType("text/plain").body("{");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/nothing, 404", "PUT, /v1/pets, 405",
        "GET, /v1/pets?limit=0, 400", "POST, /v1/pets, 415",
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
        TestDatabase.without("store_order", () -> {
            TestDatabase.execute("create view store_order as select 1 / (select 0) as id, 1 as pet_id, 1 as quantity,"
                    + " now() as ship_date, 'placed' as status, false as complete");
            try {
                key.given()
                        .get("/v1/store/orders")
                        .then()
                        .spec(error(500, "internal_error"))
                        .body("message", matchesPattern("An internal error occurred\\. Reference: [0-9a-f-]{36}\\.?"))
                        .body(not(containsString("store_order")));
            } finally {
                TestDatabase.execute("drop view store_order");
            }
        });
    }

    @Test
    void column_thatIsMissing_isADefect() {
        TestDatabase.execute("alter table store_order rename status to kept_status");
        try {
            key.given().get("/v1/store/orders").then().spec(error(500, "internal_error"));
        } finally {
            TestDatabase.execute("alter table store_order rename kept_status to status");
        }
    }

    @Test
    void request_whileTheDatabaseIsBeingRestored_isUnavailableAndOthersAreServed() {
        key.given().get("/v1/store/orders").then().statusCode(200);
        TestDatabase.without("store_order", () -> {
            for (int i = 0; i < 10; i++) {
                key.given()
                        .get("/v1/store/orders")
                        .then()
                        .spec(error(503, "service_unavailable"))
                        .header("Retry-After", matchesPattern("[1-9][0-9]*"));
            }
            key.given().get("/v1/pets/0").then().statusCode(404);
        });
        key.given().get("/v1/store/orders").then().statusCode(200);
    }
}
