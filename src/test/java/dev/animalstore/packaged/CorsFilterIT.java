package dev.animalstore.packaged;

import static dev.animalstore.fixture.Responses.remaining;
import static dev.animalstore.packaged.SharedReplicas.ORIGIN;
import static dev.animalstore.packaged.SharedReplicas.OTHER_ORIGIN;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CORS of the packaged application, for two configured origins and for all. */
class CorsFilterIT {
    private static final String ALLOWED = "Access-Control-Allow-Origin";
    private static final Set<String> EXPOSED = Set.of(
            ("X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset RateLimit-Policy RateLimit Retry-After WWW-Authenticate"
                            + " Date Link Location Allow Deprecation Sunset ETag Idempotency-Replayed X-Request-Id")
                    .split(" "));

    private final Replica replica = SharedReplicas.configured();

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/pets, authorization",
        "POST, /v1/pets, 'authorization, content-type, idempotency-key'",
        "GET, /v1/nothing, authorization",
        "PUT, /v1/nothing, 'authorization,x-own'",
        "GET, /v1;x=1/pets, authorization"
    })
    void preflight_withoutKey_isServedWithoutMetering(String method, String path, String headers) {
        Response response =
                preflight(ORIGIN, method, headers).urlEncodingEnabled(false).options(path);

        response.then()
                .statusCode(204)
                .header(ALLOWED, ORIGIN)
                .header("Access-Control-Max-Age", "7200")
                .header("X-RateLimit-Limit", nullValue());
        assertTrue(names(response, "Access-Control-Allow-Methods").contains(method));
        assertEquals(headers, response.header("Access-Control-Allow-Headers"));
    }

    @Test
    void preflight_costsNeitherKeyNorAddress() {
        TestKey key = TestKey.of("free");
        int budget = remaining(from(ORIGIN).get("/v1/pets"));
        preflight(ORIGIN, "GET", "authorization")
                .header("Authorization", "Bearer " + key.text())
                .options("/v1/pets");
        preflight(ORIGIN, "GET", "authorization").options("/v1/pets");

        assertEquals(budget - 1, remaining(from(ORIGIN).get("/v1/pets")));
        assertEquals(59, remaining(from(ORIGIN, key).get("/v1/pets")));
    }

    @Test
    void response_ofEachStatus_exposesEveryHeader() {
        TestKey key = TestKey.of("free");
        TestKey once = TestKey.of(1, 1);
        assertExposes(200, ORIGIN, from(ORIGIN, once).get("/v1/pets"));
        assertExposes(429, ORIGIN, from(ORIGIN, once).get("/v1/pets"));
        assertExposes(400, ORIGIN, from(ORIGIN, key).get("/v1/pets?limit=0"));
        assertExposes(401, OTHER_ORIGIN, from(OTHER_ORIGIN).get("/v1/pets"));
        assertExposes(404, ORIGIN, from(ORIGIN, key).get("/v1/nothing"));
        assertExposes(404, ORIGIN, from(ORIGIN, key).get("/v1/pets/0"));
        assertExposes(405, ORIGIN, from(ORIGIN, key).delete("/v1/pets"));
        TestDatabase.without(
                "api_key_secret",
                () -> assertExposes(503, ORIGIN, from(ORIGIN, TestKey.unknown()).get("/v1/store/orders")));
    }

    /** Browsers send such a path as it is; it is refused before the gate. */
    @Test
    void response_toAMalformedPath_exposesEveryHeader() throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            RawHttp response = connection
                    .send(RawHttp.head("GET /v1/pets/%", "", "Origin: " + ORIGIN))
                    .read();
            assertEquals(400, response.status());
            assertEquals(ORIGIN, response.header(ALLOWED));
            assertEquals(
                    EXPOSED,
                    Set.of(response.header("Access-Control-Expose-Headers").split(",")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "http://app.example", "https://app.example:8443", "null"})
    void otherOrigin_isServedWithoutCorsHeaders(String origin) {
        Response response = from(origin, TestKey.of("free")).get("/v1/pets");

        response.then().statusCode(200).header(ALLOWED, nullValue());
        assertTrue(names(response, "Vary").contains("origin"));
        preflight(origin, "GET", "authorization").options("/v1/pets").then().header(ALLOWED, nullValue());
    }

    /** Applications in a web view have origins of other schemes. */
    @ParameterizedTest
    @ValueSource(strings = {"http://", "capacitor://localhost", "null", "https://a.example:99999", "x", ""})
    void anyOrigin_ifAllAreConfigured_isAllowed(String origin) {
        Replica open = SharedReplicas.open();

        assertExposes(401, "*", open.given().header("Origin", origin).get("/v1/pets"));
        open.given()
                .header("Origin", origin)
                .header("Access-Control-Request-Method", "POST")
                .options("/v1/pets")
                .then()
                .statusCode(204);
    }

    /** That of Swagger UI. */
    @Test
    void ownOrigin_isServed() {
        from("http://127.0.0.1:" + replica.port(), TestKey.unlimited())
                .contentType("application/json")
                .body(Replica.PET)
                .post("/v1/pets")
                .then()
                .statusCode(201);
    }

    @Test
    void path_ofOperators_hasNoCorsHeaders() {
        from(ORIGIN).get("/admin/keys").then().statusCode(401).header(ALLOWED, nullValue());
    }

    private static void assertExposes(int status, String origin, Response response) {
        response.then().statusCode(status).header(ALLOWED, origin);
        assertEquals(EXPOSED, names(response, "Access-Control-Expose-Headers"));
    }

    private RequestSpecification from(String origin) {
        return replica.given().header("Origin", origin);
    }

    private RequestSpecification from(String origin, TestKey key) {
        return replica.given(key).header("Origin", origin);
    }

    private RequestSpecification preflight(String origin, String method, String headers) {
        return from(origin)
                .header("Access-Control-Request-Method", method)
                .header("Access-Control-Request-Headers", headers);
    }

    private static Set<String> names(Response response, String header) {
        return Set.of(response.header(header).split(" *, *"));
    }
}
