package dev.animalstore.admin;

import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** Effects of changing and revoking a key. */
@QuarkusTest
class ChangeTest {
    @Test
    void change_ofThePlan_takesEffectFromTheNextRequestAndKeepsTheUsage() {
        TestKey key = Operator.issue("{\"owner\":\"a\",\"plan\":\"free\"}");
        key.given().get("/v1/pets").then().header("X-RateLimit-Limit", "60");
        Operator.change(key, "{\"plan\":\"pro\"}")
                .statusCode(200)
                .contentType("application/json")
                .header("Cache-Control", "no-store")
                .body("plan", equalTo("pro"))
                .body("limits.perMinute", equalTo(300))
                .body("usage.minute.limit", equalTo(300))
                .body("usage.minute.remaining", equalTo(299))
                .body("$", not(hasKey("key")));
        key.given()
                .get("/v1/pets")
                .then()
                .statusCode(200)
                .header("X-RateLimit-Limit", "300")
                .header("X-RateLimit-Remaining", "298");
    }

    @Test
    void change_toAPlanWithLimits_dropsTheLimitsOfTheKey() {
        TestKey key = TestKey.of(7, 70);
        Operator.change(key, "{\"plan\":\"business\"}").statusCode(200).body("limits.perDay", equalTo(100_000));
        Operator.refused(
                Operator.change(key, "{\"plan\":\"enterprise\"}"),
                400,
                "validation_failed",
                equalTo("limits is required: the plan enterprise has none."));
    }

    @Test
    void change_ofTheOwner_keepsTheRest() {
        TestKey key = TestKey.of(7, 70);
        var before = Operator.stored(key);
        before.put("owner", "new");
        Operator.change(key, "{\"owner\":\"new\"}").statusCode(200);
        assertEquals(before, Operator.stored(key));
    }

    @Test
    void change_ofNothing_keepsEverything() {
        TestKey key = TestKey.of(7, 70);
        var before = Operator.stored(key);
        Operator.change(key, "{}").statusCode(200);
        assertEquals(before, Operator.stored(key));
    }

    @Test
    void change_ofTheExpiry_revivesAnExpiredKeyFromTheNextRequest() {
        TestKey key = TestKey.of("free").update("expires_at = now() - interval '1 second'");
        key.given().get("/v1/pets").then().statusCode(401);
        Operator.change(key, "{\"expiresAt\":null}").statusCode(200).body("expiresAt", nullValue());
        key.given().get("/v1/pets").then().statusCode(200).header("X-RateLimit-Remaining", "59");
    }

    @Test
    void revoke_anyKey_refusesFromTheNextRequestForGood() {
        TestKey key = TestKey.of("free");
        key.given().get("/v1/pets").then().statusCode(200);
        Operator.revoke(key)
                .statusCode(204)
                .header("Cache-Control", "no-store")
                .contentType("")
                .body(emptyString());
        key.given()
                .get("/v1/pets")
                .then()
                .statusCode(401)
                .header("WWW-Authenticate", "Bearer realm=\"animal-store\", error=\"invalid_token\"")
                .body("code", equalTo("invalid_api_key"));

        Object revokedAt = Operator.stored(key).get("revokedAt");
        Operator.revoke(key).statusCode(204);
        assertEquals(revokedAt, Operator.stored(key).get("revokedAt"));
        Operator.refused(
                Operator.change(key, "{\"expiresAt\":null}"),
                409,
                "conflict",
                equalTo("The key is permanently revoked."));
    }
}
