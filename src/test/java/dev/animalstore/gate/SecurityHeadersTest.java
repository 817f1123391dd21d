package dev.animalstore.gate;

import static org.hamcrest.Matchers.nullValue;

import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.specification.RequestSpecification;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The headers for browsers and caches outside of {@code /v1}, where the API document has them for every response. */
@QuarkusTest
class SecurityHeadersTest {
    @ParameterizedTest
    @CsvSource({"/nothing, 404", "/admin/keys, 401", "/q/openapi, 200", "/q/swagger-ui/, 200"})
    void response_outsideTheApi_forbidsSniffing(String path, int status) {
        RestAssured.get(path).then().statusCode(status).header("X-Content-Type-Options", "nosniff");
    }

    /** {@code CorsFilterIT} configures some. */
    @ParameterizedTest
    @CsvSource({"GET, true, 200", "GET, false, 401", "OPTIONS, false, 200"})
    void response_withoutConfiguredOrigins_hasNoCorsHeaders(String method, boolean withKey, int status) {
        RequestSpecification request = withKey ? TestKey.unlimited().given() : RestAssured.given();

        request.headers("Origin", "https://app.example", "Access-Control-Request-Method", "GET")
                .request(method, "/v1/pets")
                .then()
                .statusCode(status)
                .header("Access-Control-Allow-Origin", nullValue())
                .header("Access-Control-Allow-Headers", nullValue())
                .header("Access-Control-Expose-Headers", nullValue());
    }
}
