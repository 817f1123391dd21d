package dev.animalstore.store;

import static dev.animalstore.fixture.Responses.error;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** Statements that fail: for a defect, and while a table is being restored. */
@QuarkusTest
public class BrokenTableTest {
    private final TestKey key = TestKey.unlimited();

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
