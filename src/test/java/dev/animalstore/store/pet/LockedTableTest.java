package dev.animalstore.store.pet;

import static dev.animalstore.fixture.Responses.error;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** PostgreSQL cancels a statement before the service times out, so a request that got 503 is not carried out later. */
@Isolated
@QuarkusTest
class LockedTableTest {
    /** The service's timeout of a statement, and a margin for a busy machine. */
    private static final long LONGEST_MILLIS = 1000 + 5000;

    private static final Duration POLL = Duration.ofMillis(10);

    @Inject
    MeterRegistry metrics;

    private final TestKey key = TestKey.unlimited();
    private final String name = "Rex " + UUID.randomUUID();

    /** Makes the key known, so that it is not looked up while a table is locked. */
    @BeforeEach
    void useTheKey() {
        key.given().get("/v1/store/orders").then().statusCode(200);
    }

    @ParameterizedTest
    @CsvSource({"pet,false", "pet,true", "idempotency_key,true"})
    void create_whileATableIsLockedAgainstWrites_isUnavailableAndAddsNothing(String table, boolean idempotent) {
        Map<String, String> headers = idempotent ? Map.of("Idempotency-Key", name) : Map.of();
        List<Long> connections = connections();
        TestDatabase.during("lock table " + table + " in share mode", () -> {
            Response response = create(headers);

            response.then()
                    .spec(error(503, "service_unavailable"))
                    .header("Retry-After", matchesPattern("[1-9][0-9]*"));
            assertTrue(response.time() < LONGEST_MILLIS, "is " + response.time());
            assertEquals(
                    0L,
                    count("pg_locks where not granted and relation = '" + table + "'::regclass"),
                    "statements that still wait");
        });
        // Waits until all earlier requests for a lock have ended.
        TestDatabase.execute("begin; lock table " + table + " in share mode; commit");
        assertEquals(0L, count("pet where name = '" + name + "'"));
        assertTrue(connections().containsAll(connections), "the connections stay");

        create(headers).then().statusCode(201).header("Idempotency-Replayed", nullValue());
        assertEquals(1L, count("pet where name = '" + name + "'"));
    }

    @Test
    void create_whoseClientGoesAway_isAnnouncedOnceItIsCommitted() {
        String body = "{\"name\":\"" + name + "\",\"categoryId\":3}";
        String request = RawHttp.head("POST /v1/pets", key.text(), "Content-Length: " + body.length()) + body;
        RedisState.changeCatalogue();
        String before = RedisState.catalogue();
        // A machine that is too slow exceeds the timeout of the statement.
        Awaitility.await().until(() -> {
            sendAndGoAway(request);
            waitForStatements();
            return count("pet where name = '" + name + "'") == 1;
        });
        Awaitility.await().until(() -> !before.equals(RedisState.catalogue()));
    }

    private void sendAndGoAway(String request) {
        long gone = gone();
        TestDatabase.during(
                "lock table pet in share mode",
                () -> assertDoesNotThrow(() -> {
                    try (KeptConnection client = new KeptConnection(RestAssured.port)) {
                        client.send(request);
                        Awaitility.await()
                                .pollInterval(POLL)
                                .until(() -> count("pg_locks where not granted and relation = 'pet'::regclass") == 1);
                    }
                    Awaitility.await().pollInterval(POLL).until(() -> gone() > gone);
                }));
    }

    /** How many clients have disconnected before their response. */
    private long gone() {
        return metrics.find("http.server.requests").tag("status", "499").timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    private static void waitForStatements() {
        TestDatabase.execute("begin; lock table pet in share mode; commit");
    }

    private Response create(Map<String, String> headers) {
        return key.given()
                .headers(headers)
                .contentType("application/json")
                .body("{\"name\": \"" + name + "\", \"categoryId\": 3}")
                .post("/v1/pets");
    }

    private static long count(String rows) {
        return TestDatabase.number("select count(*) from " + rows);
    }

    /** The PostgreSQL processes that serve the application. */
    private static List<Long> connections() {
        return TestDatabase.query("select pid from pg_stat_activity where application_name = 'PostgreSQL JDBC Driver'");
    }
}
