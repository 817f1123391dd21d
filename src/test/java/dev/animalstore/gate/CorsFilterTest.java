package dev.animalstore.gate;

import static dev.animalstore.fixture.Responses.error;
import static org.hamcrest.Matchers.nullValue;

import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.builder.ResponseSpecBuilder;
import io.restassured.specification.ResponseSpecification;
import org.junit.jupiter.api.Test;

/** Without configured origins there is no CORS. */
@QuarkusTest
class CorsFilterTest {
    private static final String ORIGIN = "https://app.example";

    @Test
    void response_withoutOriginsConfigured_hasNoCorsHeaders() {
        TestKey.of("free")
                .given()
                .header("Origin", ORIGIN)
                .get("/v1/pets")
                .then()
                .spec(noCorsHeaders())
                .statusCode(200);
    }

    @Test
    void error_withoutOriginsConfigured_hasNoCorsHeaders() {
        RestAssured.given()
                .header("Origin", ORIGIN)
                .get("/v1/pets")
                .then()
                .spec(noCorsHeaders())
                .spec(error(401, "missing_api_key"));
    }

    @Test
    void preflight_withoutOriginsConfigured_hasNoCorsHeaders() {
        RestAssured.given()
                .header("Origin", ORIGIN)
                .header("Access-Control-Request-Method", "GET")
                .options("/v1/pets")
                .then()
                .spec(noCorsHeaders());
    }

    private static ResponseSpecification noCorsHeaders() {
        return new ResponseSpecBuilder()
                .expectHeader("Access-Control-Allow-Origin", nullValue(String.class))
                .expectHeader("Access-Control-Allow-Headers", nullValue(String.class))
                .expectHeader("Access-Control-Expose-Headers", nullValue(String.class))
                .build();
    }
}
