package dev.animalstore.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.MovedTicker;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
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
    private static final Duration SECOND = Duration.ofMillis(1100);

    @Inject
    MovedTicker time;

    @Inject
    MeterRegistry metrics;

    /** An hour of requests, with the pauses that a customer may make. */
    @Test
    void copy_thatRedisConfirms_decidesWithoutADatabaseUntilItIsNotUsedForAnHour() {
        TestKey key = TestKey.of(6, 100);
        TestKey expired = TestKey.of("free").update("expires_at = now()");
        TestKey revoked = TestKey.of("free").update("revoked_at = now()");
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
    void copy_withoutRedis_decidesForTheCacheTimeAfterItsLastConfirmation() {
        TestKey key = TestKey.unlimited();
        TestKey expired = TestKey.of("free").update("expires_at = now()");
        assertEquals(200, status(key));
        assertEquals(401, status(expired));
        time.move(Duration.ofMinutes(5));
        assertEquals(200, status(key));
        assertEquals(401, status(expired));
        withoutKeysInTheDatabase(() -> RedisState.hang(() -> {
            assertEquals(404, statusOfNothing(key));
            time.move(CACHE_TIME.minusSeconds(20));
            assertEquals(404, statusOfNothing(key));
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

    /** After a change by SQL, which is announced to no replica. */
    @Test
    void copy_afterTenMinutes_isReadAgainInTheBackground() {
        TestKey key = TestKey.of("free");
        assertEquals(200, status(key));
        key.update("plan = 'pro'");
        time.move(Duration.ofMinutes(9));
        key.list().header("X-RateLimit-Limit", "60");
        time.move(Duration.ofMinutes(1).plusSeconds(1));
        key.list().statusCode(200);
        Awaitility.await().untilAsserted(() -> key.list().header("X-RateLimit-Limit", Matchers.equalTo("300")));
    }

    @Test
    void copies_ofKnownKeys_needNoQueryHoweverManyRequestsUseThem() {
        TestKey key = TestKey.unlimited();
        assertEquals(200, status(key));
        double before = queries();
        for (int i = 0; i < 20; i++) {
            time.move(CACHE_TIME);
            assertEquals(200, status(key));
        }
        // Ten minutes of them, in which it is read again once.
        assertEquals(before, queries(), 1);
    }

    /** While a backup is restored, for example. */
    @Test
    void secret_whoseRowWasMissingForAMoment_isLookedUpAgainAfterASecond() {
        TestKey key = TestKey.of("free");
        assertEquals(200, status(key));
        key.update("version = 2");
        removeSecret(key);
        RedisState.forget(key);
        assertEquals(401, status(key));
        restoreSecret(key);
        assertEquals(401, status(key));
        time.move(SECOND);
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
        time.move(Duration.ofMinutes(1));
        assertEquals(200, status(key));
    }

    /** As when a backup is restored from before the key was rotated. */
    @Test
    void unknownSecret_afterALookUpHasFailed_isLookedUpAgain() {
        TestKey key = TestKey.of("free");
        removeSecret(key);
        assertEquals(401, status(key));
        TestKey another = TestKey.of("free");
        withoutKeysInTheDatabase(() -> assertEquals(503, status(another)));
        restoreSecret(key);
        assertEquals(200, status(key));
    }

    /** A resource that is outside the API by mistake is not public. */
    @Test
    void operation_withoutAVerdict_isNotRun() {
        RestAssured.given().get("/outside").then().statusCode(500).body("code", Matchers.equalTo("internal_error"));
    }

    private static int status(TestKey key) {
        return key.given().get("/v1/pets?limit=1").statusCode();
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
