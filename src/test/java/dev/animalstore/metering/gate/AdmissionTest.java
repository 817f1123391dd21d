package dev.animalstore.metering.gate;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.MovedTicker;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.metering.key.BearerKey;
import dev.animalstore.metering.key.KeyCache;
import dev.animalstore.metering.key.KeyConfig;
import dev.animalstore.metering.key.KeyLook;
import dev.animalstore.metering.quota.Decision.Outcome;
import dev.animalstore.metering.quota.QuotaLimiter;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import dev.animalstore.web.http.ParallelRead;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
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

    @Inject
    KeyConfig config;

    @Inject
    KeyCache cache;

    @Inject
    QuotaLimiter limiter;

    @Inject
    FailedAuthenticationLimit failures;

    @Inject
    Clock clock;

    @Inject
    Vertx vertx;

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

    /** Redis was never told of the change. */
    @Test
    void copy_ofAReplicaThatWasAway_decidesNothingBeforeALook() {
        TestKey key = TestKey.unlimited();
        passNewKeys();
        assertEquals(200, status(key));
        key.update("revoked_at = now()");
        time.move(CACHE_TIME.plusSeconds(1));
        assertEquals(401, status(key));
    }

    /** The look finds that the key was revoked. The request has taken its copy before. */
    @Test
    void look_whileARequestWaitsForRedis_tellsNothingOfItsCopy() {
        TestKey key = TestKey.unlimited();
        passNewKeys();
        assertEquals(200, status(key));
        TestDatabase.execute("alter table api_key_secret rename to kept");
        time.move(CACHE_TIME.plusSeconds(1));
        assertThrows(SQLException.class, look::look);
        RedisState.hang(() -> {
            Verdict verdict = admit(key, "192.0.2.61", exchange -> {
                        TestDatabase.execute("alter table kept rename to api_key_secret");
                        key.update("revoked_at = now()");
                        passNewKeys();
                    })
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            assertInstanceOf(Verdict.Unauthorized.class, verdict);
        });
    }

    /** Guesses from its address take all places. */
    @Test
    void copy_thatWasForgotten_showsThatTheKeyIsNoGuess() {
        String address = "192.0.2.62";
        TestKey key = TestKey.unlimited();
        assertEquals(200, status(key));
        key.update("owner = 'b'");
        passNewKeys();
        assertTrue(Stream.generate(() -> failures.spend(exchange(address)).outcome())
                .anyMatch(Outcome.REFUSED::equals));
        Future<Verdict> verdict = TestDatabase.during("lock table api_key_secret", () -> {
            Admission admission = admission(exchange -> {});
            Stream.generate(TestKey::unknown).limit(8).forEach(guess -> admit(admission, guess, address));
            assertInstanceOf(
                    Verdict.Refused.class,
                    admit(admission, TestKey.unknown(), address).result());
            return admit(admission, key, address);
        });
        assertInstanceOf(
                Verdict.Admitted.class,
                verdict.toCompletionStage().toCompletableFuture().join());
    }

    @Test
    void keyThatCannotBeChecked_isAVerdictToo() {
        withoutKeysInTheDatabase(() -> {
            Verdict verdict = admit(TestKey.unknown(), "192.0.2.63", exchange -> {})
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            Throwable cause =
                    assertInstanceOf(Verdict.Unavailable.class, verdict).cause();
            assertEquals(
                    ErrorCode.SERVICE_UNAVAILABLE,
                    assertInstanceOf(ApiException.class, cause).code());
        });
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

    /** A filter of another may change the path of a request that the gate has passed. */
    @Test
    void operation_withoutAVerdict_isNotRun() {
        RestAssured.given().get("/rewritten").then().statusCode(500);
    }

    private Future<Verdict> admit(TestKey key, String address, ParallelRead whileItWaits) {
        return admit(admission(whileItWaits), key, address);
    }

    private Admission admission(ParallelRead read) {
        return new Admission(
                config, new AuthorizationHeader(config), cache, look, limiter, failures, List.of(read), clock, time);
    }

    private Future<Verdict> admit(Admission admission, TestKey key, String address) {
        BearerKey sent = BearerKey.parse(key.text(), "ask_test_").orElseThrow();
        return admission.admit(sent, exchange(address), true);
    }

    /** A request from an address, of which nothing else is known. */
    private RoutingContext exchange(String address) {
        HttpServerRequest request =
                only(HttpServerRequest.class, Map.of("remoteAddress", SocketAddress.inetSocketAddress(1, address)));
        return only(RoutingContext.class, Map.of("request", request, "vertx", vertx));
    }

    private static <T> T only(Class<T> type, Map<String, Object> results) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> results.get(method.getName())));
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

    public static class Rewriting {
        @ServerRequestFilter(preMatching = true, nonBlocking = true)
        public void rewrite(ContainerRequestContext request) {
            if (request.getUriInfo().getPath().equals("/rewritten")) {
                request.setRequestUri(URI.create("/v1/own/counts"));
            }
        }
    }
}
