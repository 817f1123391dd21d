package dev.animalstore.gate;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The headers for browsers and caches on every response. */
@QuarkusTest
class SecurityHeadersTest {
    private static final String TYPE_OPTIONS = "X-Content-Type-Options";
    private static final String CACHE_CONTROL = "Cache-Control";

    @BeforeAll
    static void addPets() {
        TestDatabase.addPets(2, "available");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/pets, 200",
        "HEAD, /v1/pets, 200",
        "GET, /v1/pets/0, 404",
        "GET, /v1/store/orders, 200",
        "GET, /v1/pets?limit=0, 400",
        "POST, /v1/pets, 415",
        "DELETE, /v1/pets, 405",
        "GET, /v1/nothing, 404"
    })
    void response_toAKey_isPrivate(String method, String path, int status) {
        TestKey.unlimited()
                .given()
                .request(method, path)
                .then()
                .statusCode(status)
                .header(CACHE_CONTROL, "private")
                .header(TYPE_OPTIONS, "nosniff");
    }

    @Test
    void refusal_withoutAKey_isPrivate() {
        RestAssured.get("/v1/pets")
                .then()
                .statusCode(401)
                .header(CACHE_CONTROL, "private")
                .header(TYPE_OPTIONS, "nosniff");
    }

    @Test
    void response_toAnOperator_isNotStored() {
        Operator.given()
                .get("/admin/keys")
                .then()
                .statusCode(200)
                .header(CACHE_CONTROL, "no-store")
                .header(TYPE_OPTIONS, "nosniff");
    }

    @ParameterizedTest
    @CsvSource({
        "/nothing, 404",
        "/admin/keys, 401",
        "/q/health/live, 200",
        "/q/openapi, 200",
        "/q/metrics, 200",
        "/q/swagger-ui/, 200"
    })
    void response_outsideTheApi_forbidsSniffing(String path, int status) {
        RestAssured.get(path).then().statusCode(status).header(TYPE_OPTIONS, "nosniff");
    }

    @Test
    void response_toAPathThatCannotBeRouted_hasTheHeadersOfAllResponses() {
        RawHttp response = RawHttp.send("GET", "nothing", "HTTP/1.1");

        assertThat(response.toString(), response.status(), equalTo(404));
        assertThat(response.header(TYPE_OPTIONS), equalTo("nosniff"));
        assertThat(response.header("X-Request-Id"), not(equalTo("")));
    }
}
