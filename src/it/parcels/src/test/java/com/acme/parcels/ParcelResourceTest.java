package com.acme.parcels;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.startsWith;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/** What the engine does for a resource that knows nothing of it. */
@QuarkusTest
class ParcelResourceTest {
    static final String PARCEL = """
            {"shipTo": "1 Main Street", "grams": 700, "size": "small", "value": 12.50, "fragile": true, "due": "2026-12-24",
             "picked": "2026-11-28T09:00:00Z", "tracking": "7a1b2c3d-0000-4000-8000-000000000001", "labels": ["gift"]}""";

    /** Not picked yet. */
    static final String LARGE = PARCEL.replace("small", "large").replaceAll("\"picked\": \"[^\"]*\", *\\s", "");

    @ConfigProperty(name = "animalstore.admin.token")
    String token;

    @Test
    void request_withoutAKey_is401() {
        given().get("/v1/parcels").then().statusCode(401).header("WWW-Authenticate", startsWith("Bearer")).body("code", equalTo("missing_api_key"));
    }

    @Test
    void request_beyondTheLimitOfItsPlan_is429() {
        RequestSpecification key = withKey();
        for (int left = 59; left >= 0; left--) {
            get(key, "/v1/parcels").statusCode(200).header("X-RateLimit-Remaining", Integer.toString(left));
        }
        get(key, "/v1/parcels").statusCode(429).header("Retry-After", notNullValue()).body("code", equalTo("rate_limit_exceeded"));
    }

    @Test
    void parcel_thatWasAddedOrReplaced_isInTheListAtOnce() {
        RequestSpecification key = withKey();
        String list = "/v1/parcels?limit=100&size=large";
        get(key, list).statusCode(200).contentType("application/json").header("ETag", notNullValue());
        int id = add(key, LARGE).statusCode(201).extract().path("id");
        get(key, list).body("id", hasItem(id)).body("find { it.id == " + id + " }.due", equalTo("2026-12-24"));

        replace(key, id, LARGE.replace("700", "800")).statusCode(200);
        get(key, list).body("find { it.id == " + id + " }.grams", equalTo(800));

        replace(key, id, PARCEL).statusCode(200);
        replace(key, id, PARCEL).statusCode(409).body("code", equalTo("already_picked"));
        replace(key, 999_999_999, PARCEL).statusCode(404).body("code", equalTo("not_found"));
    }

    @Test
    void body_withSeveralFaults_is400ThatNamesThemAll() {
        add(withKey(), """
                {"shipTo": " ", "grams": 0, "size": "huge", "value": "12", "fragile": 1, "due": "2026-12-24T00:00:00Z", "picked": "today",
                 "tracking": "x", "labels": ["gift", ""]}""")
                .statusCode(400)
                .body("code", equalTo("validation_failed"))
                .body("message", allOf(containsString("shipTo"), containsString("grams"), containsString("size"), containsString("due")))
                .body("message", allOf(containsString("picked"), containsString("tracking"), containsString("labels[1]")));
        add(withKey(), PARCEL.replace("Main", "\\u0000")).statusCode(400).body("message", containsString("shipTo"));
        add(withKey(), PARCEL.replace("Main", "M".repeat(70_000))).statusCode(413).body("code", equalTo("payload_too_large"));
    }

    @Test
    void document_hasTheOperationsWithTheirKeyAndErrors() {
        given().accept("application/json").get("/q/openapi").then().statusCode(200)
                .body("info.title", equalTo("parcels API"))
                .body("paths.keySet().toString()", containsString("/parcels"))
                .body("paths.'/v1/parcels'.get.parameters.find { it.name == 'limit' }.toString()", containsString("limit"))
                .body("components.schemas", allOf(hasKey("Parcel"), hasKey("Error"), not(hasKey("Pet"))));
    }

    @Test
    void operators_haveTheirApiAndTheirConsole() {
        given().get("/admin/keys").then().statusCode(401);
        asOperator().get("/admin/keys?limit=1").then().statusCode(200);
        given().get("/console").then().statusCode(200).body(containsString("Sign in"));
    }

    /** A key of the plan free. */
    private RequestSpecification withKey() {
        String key = asOperator().contentType("application/json").body("{\"owner\": \"test\", \"plan\": \"free\"}").post("/admin/keys").path("key");
        return given().header("Authorization", "Bearer " + key);
    }

    private RequestSpecification asOperator() {
        return given().header("Authorization", "Bearer " + token);
    }

    private static ValidatableResponse get(RequestSpecification key, String path) {
        return given().spec(key).get(path).then();
    }

    private static ValidatableResponse replace(RequestSpecification key, int id, String parcel) {
        return given().spec(key).contentType("application/json").body(parcel).put("/v1/parcels/" + id).then();
    }

    private static ValidatableResponse add(RequestSpecification key, String parcel) {
        return given().spec(key).contentType("application/json").body(parcel).post("/v1/parcels").then();
    }
}
