package dev.animalstore.gate;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;

import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
class QuotaTest {
    @Test
    void request_ofFreshFreeKey_showsBothWindows() {
        TestKey.of("free")
                .given()
                .get("/v1/pets")
                .then()
                .statusCode(200)
                .header("X-RateLimit-Limit", "60")
                .header("X-RateLimit-Remaining", "59")
                .header("RateLimit-Policy", "\"minute\";q=60;w=60, \"day\";q=1000;w=86400")
                .header("RateLimit", matchesPattern("\"minute\";r=59;t=60, \"day\";r=999;t=[0-9]{1,5}"));
    }

    @Test
    void request_overTheMinute_isRefusedAndNotChargedToTheDay() {
        TestKey key = TestKey.of(2, 10);
        key.given().get("/v1/pets").then().statusCode(200);
        key.given().get("/v1/pets").then().statusCode(200).header("X-RateLimit-Remaining", "0");
        key.given()
                .get("/v1/pets")
                .then()
                .statusCode(429)
                .contentType("application/json")
                .header("Retry-After", matchesPattern("[1-9][0-9]?"))
                .header("X-RateLimit-Limit", "2")
                .header("X-RateLimit-Remaining", "0")
                .header("RateLimit", matchesPattern("\"minute\";r=0;t=[0-9]{1,2}, \"day\";r=8;t=[0-9]{1,5}"))
                .body("size()", equalTo(3))
                .body("code", equalTo("rate_limit_exceeded"))
                .body("status", equalTo(429))
                .body("message", matchesPattern("The per-minute quota is exceeded\\. Retry in [0-9]+ s\\."));
    }
}
