package dev.animalstore.metering.gate;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.MovedTicker;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.metering.key.KeyLook;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.Test;

/** Which copy of a key may decide, and for how long. */
@QuarkusTest
class AdmissionTest {
    private static final Duration CACHE_TIME = Duration.ofSeconds(30);
    private static final Duration UNKNOWN_TIME = Duration.ofSeconds(10);

    @Inject
    MovedTicker time;

    @Inject
    MeterRegistry metrics;

    @Inject
    KeyLook look;

    /** An hour of requests, with the pauses that a customer may make. */
    @Test
    void copy_thatRedisConfirms_decidesWithoutADatabaseUntilItIsNotUsedForAnHour() {
        TestKey key = TestKey.of(6, 100);
        TestKey expired = TestKey.of("free").update("expires_at = now()");
        TestKey revoked = TestKey.of("free").update("revoked_at = now()");
        passNewKeys();
        assertEquals(200, status(key));
        assertEquals(401, status(expired));
        assertEquals(401, status(revoked));
        withoutKeysInTheDatabase(() -> {
            for (int minutes : new int[] {1, 4, 10, 45}) {
                time.move(Duration.ofMinutes(minutes));
                assertEquals(200, status(key), minutes + " minutes later");
                assertEquals(401, status(expired));
                assertEquals(401, status(revoked));
            }
            assertEquals(200, status(key));
            assertEquals(429, status(key));
            time.move(Duration.ofMinutes(61));
            key.given().get("/v1/nothing").then().statusCode(503).header("Retry-After", "2");
        });
        assertEquals(429, status(key));
    }

    @Test
    void copy_withoutRedis_decidesForTheCacheTimeAfterTheLastLook() {
        TestKey key = TestKey.unlimited();
        TestKey expired = TestKey.of("free").update("expires_at = now()");
        passNewKeys();
        assertEquals(200, status(key));
        assertEquals(401, status(expired));
        withoutKeysInTheDatabase(() -> RedisState.hang(() -> {
            assertEquals(404, statusOfNothing(key));
            assertEquals(401, statusOfNothing(expired));
            time.move(CACHE_TIME.minusSeconds(20));
            assertEquals(404, statusOfNothing(key));
            assertEquals(401, statusOfNothing(expired));
            time.move(CACHE_TIME);
            assertEquals(503, statusOfNothing(key));
            assertEquals(503, statusOfNothing(expired));
        }));
        TestKey another = TestKey.of("free");
        Awaitility.await().until(() -> {
            statusOfNothing(another);
            return !RedisState.read(another).isEmpty();
        });
        assertEquals(200, status(key));
    }

    @Test
    void unknownSecret_isNotLookedUpAgainForItsTime() {
        TestKey key = TestKey.of("free");
        removeSecret(key);
        assertEquals(401, status(key));
        double before = queries();
        restoreSecret(key);
        IntStream.range(0, 5).forEach(i -> assertEquals(401, status(key)));
        assertEquals(before, queries());
        time.move(UNKNOWN_TIME);
        assertEquals(200, status(key));
    }

    /** A resource that is outside the API by mistake is not public. */
    @Test
    void operation_withoutAVerdict_isNotRun() {
        RestAssured.given().get("/outside").then().statusCode(500).body("code", Matchers.equalTo("internal_error"));
    }

    /** A later look would find that the keys were added, and forget their copies. */
    private void passNewKeys() {
        assertDoesNotThrow(look::look);
    }

    private static int status(TestKey key) {
        return key.given().get("/v1/samples?limit=1").statusCode();
    }

    private static int statusOfNothing(TestKey key) {
        return key.given().get("/v1/nothing").statusCode();
    }

    private double queries() {
        return metrics.counter("animalstore.keys.queries").count();
    }

    private static void removeSecret(TestKey key) {
        key.updateSecret("hash = sha256('without " + key.id() + "')");
    }

    private static void restoreSecret(TestKey key) {
        TestDatabase.execute(
                "update api_key_secret set hash = sha256('" + key.text() + "') where key_id = " + key.id());
    }

    private static void withoutKeysInTheDatabase(Runnable action) {
        TestDatabase.without("api_key_secret", action);
    }

    /** An operation of no area. */
    @Path("/outside")
    public static class Outside {
        @GET
        public String get() {
            return "public";
        }
    }
}
