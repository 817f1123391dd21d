package dev.animalstore.admin;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;

/** A rotated key remains one key with one quota, whichever of its secrets is sent. */
@QuarkusTest
class RotationTest {
    private static final int GRACE = 3600;

    @Test
    void rotation_withGrace_returnsTheKeyWithBothSecrets() {
        TestKey old = TestKey.of("free");
        ValidatableResponse rotated = Operator.rotate(old, GRACE)
                .statusCode(201)
                .contentType("application/json")
                .header("Cache-Control", "no-store")
                .body("id", equalTo((int) old.id()))
                .body("secrets", hasSize(2))
                .body("secrets[0].expiresAt", nullValue())
                .body("secrets[1].expiresAt", notNullValue());
        String text = rotated.extract().path("key");
        assertNotEquals(old.text(), text);
        rotated.body("secrets.hint", contains(hint(text), hint(old.text())));
        Operator.show(old)
                .body("secrets.hint", contains(hint(text), hint(old.text())))
                .body("key", nullValue());
    }

    @Test
    void rotation_withGrace_chargesBothSecretsToOneQuota() {
        TestKey old = TestKey.of(3, 10);
        old.given().get("/v1/pets").then().statusCode(200).header("X-RateLimit-Remaining", "2");
        TestKey current = Operator.rotated(old, GRACE);
        current.given().get("/v1/pets").then().statusCode(200).header("X-RateLimit-Remaining", "1");
        old.given().get("/v1/pets").then().statusCode(200).header("X-RateLimit-Remaining", "0");
        current.given().get("/v1/pets").then().statusCode(429);
        old.given().get("/v1/pets").then().statusCode(429);
    }

    @Test
    void rotation_afterAGraceHasEnded_removesTheSecretOfThatGrace() {
        TestKey first = TestKey.of("free");
        TestKey second = Operator.rotated(first, GRACE);
        first.updateSecret("expires_at = now() - interval '1 second'");
        TestKey third = Operator.rotated(second, GRACE);
        Operator.show(first).body("secrets.hint", contains(hint(third.text()), hint(second.text())));
        first.given().get("/v1/pets").then().statusCode(401);
    }

    @Test
    void responses_toTheOldSecret_haveTheDatesOfDeprecationAndSunset() {
        TestKey old = TestKey.of(1, 10);
        TestKey current = Operator.rotated(old, GRACE);
        Instant rotated = Instant.parse(Operator.show(old).extract().path("secrets[0].createdAt"));
        Instant end = Instant.parse(Operator.show(old).extract().path("secrets[1].expiresAt"));
        assertEquals(rotated.plusSeconds(GRACE), end);

        for (int status : new int[] {200, 429}) {
            ValidatableResponse response = old.given()
                    .get("/v1/pets")
                    .then()
                    .statusCode(status)
                    .header("Deprecation", "@" + rotated.getEpochSecond());
            assertEquals(end.getEpochSecond(), httpDate(response.extract().header("Sunset")));
        }
        current.given()
                .get("/v1/pets")
                .then()
                .statusCode(429)
                .header("Deprecation", nullValue())
                .header("Sunset", nullValue());
    }

    @Test
    void responses_ofADeprecatedOperationToTheOldSecret_haveTheDatesOfTheOperationOnce() {
        TestKey old = TestKey.unlimited();
        TestKey current = Operator.rotated(old, GRACE);
        ValidatableResponse expected = current.given().get("/v1/pets/1").then();
        var headers = old.given().get("/v1/pets/1").then().extract().headers();
        for (String name : new String[] {"Deprecation", "Sunset"}) {
            assertEquals(expected.extract().headers().getValues(name), headers.getValues(name));
            assertEquals(1, headers.getValues(name).size());
        }
    }

    @Test
    void requests_withTheOldSecret_areCounted() {
        TestKey old = TestKey.of("free");
        TestKey current = Operator.rotated(old, GRACE);
        old.given().get("/v1/pets").then().statusCode(200);
        old.given().get("/v1/pets").then().statusCode(200);
        current.given().get("/v1/pets").then().statusCode(200);
        RestAssured.get("/q/metrics")
                .then()
                .body(containsString("animalstore_rotated_secret_requests_total{key=\"" + old.id() + "\"} 2.0"))
                .body(not(containsString("animalstore_deprecated_requests_total{key=\"" + old.id() + "\"")));
    }

    @Test
    void rotation_graceOver_refusesTheOldSecretOnly() {
        TestKey old = TestKey.of("free");
        TestKey current = Operator.rotated(old, GRACE);
        old.updateSecret("expires_at = now()");
        old.given().get("/v1/pets").then().statusCode(401).body("code", equalTo("invalid_api_key"));
        current.given().get("/v1/pets").then().statusCode(200);
    }

    @Test
    void rotation_withoutGrace_refusesTheOldSecretFromTheNextRequest() {
        TestKey old = TestKey.of("free");
        old.given().get("/v1/pets").then().statusCode(200);
        TestKey current = Operator.rotated(old, 0);
        old.given()
                .get("/v1/pets")
                .then()
                .statusCode(401)
                .header("WWW-Authenticate", "Bearer realm=\"animal-store\", error=\"invalid_token\"")
                .body("code", equalTo("invalid_api_key"));
        current.given().get("/v1/pets").then().statusCode(200).header("X-RateLimit-Remaining", "58");
        Operator.show(old).body("secrets.hint", contains(hint(current.text())));
    }

    @Test
    void rotation_duringAGrace_neverExtendsIt() {
        TestKey first = TestKey.of("free");
        TestKey second = Operator.rotated(first, 60);
        String end = Operator.show(first).extract().path("secrets[1].expiresAt");
        Operator.rotate(second, GRACE)
                .statusCode(201)
                .body("secrets", hasSize(3))
                .body("secrets[2].expiresAt", equalTo(end))
                .body("secrets[1].expiresAt", not(end));
        first.given().get("/v1/pets").then().statusCode(200);
        second.given().get("/v1/pets").then().statusCode(200);
    }

    @Test
    void rotation_duringAGrace_canShortenIt() {
        TestKey first = TestKey.of("free");
        TestKey second = Operator.rotated(first, GRACE);
        TestKey third = Operator.rotated(second, 0);
        first.given().get("/v1/pets").then().statusCode(401);
        second.given().get("/v1/pets").then().statusCode(401);
        third.given().get("/v1/pets").then().statusCode(200);
    }

    @Test
    void rotation_ofARevokedKey_isAConflict() {
        TestKey key = TestKey.of("free").update("revoked_at = now()");
        assertConflict(key);
    }

    @Test
    void rotation_ofAnExpiredKey_isAConflict() {
        TestKey key = TestKey.of("free").update("expires_at = now()");
        assertConflict(key);
    }

    private static void assertConflict(TestKey key) {
        var before = Operator.stored(key);
        Operator.refused(
                Operator.rotate(key, GRACE), 409, "conflict", equalTo("The key has been revoked or has expired."));
        assertEquals(before, Operator.stored(key));
    }

    private static long httpDate(String text) {
        return ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toEpochSecond();
    }

    private static String hint(String key) {
        return key.substring(key.length() - 10, key.length() - 6);
    }
}
