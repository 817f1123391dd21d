package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A table that a DBA changes: what waits for it holds up nothing else. */
@Tag("timed")
@Tag("long")
class LockedTableIT {
    /** Of a request that needs a query of another table, and of one that waits in vain. */
    private static final Duration LONGEST = Duration.ofSeconds(1);

    /** Longer than anything may wait. */
    private static final Duration LOCKED = Duration.ofSeconds(20);

    private static final int ADDITIONS = 1000;
    private static final int CLIENTS = 40;
    private static final int OPERATORS = 15;
    private static final String DECISIONS = "animalstore_quota_decision_seconds_count";

    @AutoClose
    private final Replica replica = Replica.startWithTimeouts(Map.of());

    private final TestKey known = TestKey.unlimited();

    LockedTableIT() throws IOException {}

    @Test
    void requests_thatWaitForALock_holdUpNothingElse() {
        // A cold JVM on a busy machine may not run its event loops for a second, and then asks PostgreSQL for lists.
        Stream.generate(() -> replica.post("/v1/pets", known, Replica.PET))
                .limit(ADDITIONS / 2)
                .toList()
                .forEach(CompletableFuture::join);
        String memory = "animalstore_catalogue_pages_total{source=\"memory\"}";
        Awaitility.await().until(() -> replica.status(known) == 200 && replica.metric(memory) > 0);
        TestDatabase.during("lock table pet in access exclusive mode", () -> {
            List<CompletableFuture<HttpResponse<String>>> waiting = Stream.concat(
                            Stream.generate(() -> replica.post("/v1/pets", known, Replica.PET))
                                    .limit(ADDITIONS),
                            IntStream.rangeClosed(2, 100)
                                    .mapToObj(limit -> replica.get("/v1/pets?limit=" + limit, known)))
                    .toList();
            long end = System.nanoTime() + LOCKED.toNanos();
            while (System.nanoTime() < end) {
                TestKey unknown = TestKey.unlimited();
                assertSoon(404, () -> replica.status("/v1/nothing", unknown));
                assertSoon(200, () -> replica.status(known));
                assertSoon(
                        200,
                        () -> replica.operate("GET", Operator.path(known), "").statusCode());
            }
            // All of them have ended long ago.
            assertEquals(
                    Set.of(503),
                    waiting.stream()
                            .map(response -> response.join().statusCode())
                            .collect(Collectors.toSet()));
        });
        assertEquals(201, replica.post("/v1/pets", known, Replica.PET).join().statusCode());
        int lines =
                assertDoesNotThrow(() -> replica.messages("Too many writes")).size();
        assertTrue(lines >= 1 && lines <= LOCKED.toSeconds(), lines + " lines of the log");
    }

    /** More than may run at a time, so that most are waiting when their connections end. */
    @ParameterizedTest
    @CsvSource({"POST,/v1/pets,201", "GET,/v1/pets/9223372036854775807,404", "GET,/v1/pets?limit=7,200"})
    void requests_whoseClientsGoAwayWhileTheyWait_leaveTheirPlaces(String method, String path, int status)
            throws IOException {
        String body = method.equals("POST") ? Replica.PET : "";
        String request = RawHttp.head(method + " " + path, known.text(), "Content-Length: " + body.length()) + body;
        Awaitility.await().until(() -> replica.status(known) == 200);
        TestDatabase.during(
                "lock table pet in access exclusive mode",
                () -> assertDoesNotThrow(() -> {
                    double before = replica.metric(DECISIONS);
                    List<KeptConnection> clients = KeptConnection.open(CLIENTS, replica.port(), request);
                    Awaitility.await().until(() -> replica.metric(DECISIONS) == before + CLIENTS);
                    KeptConnection.closeAll(clients);
                    // On a slow machine some get 503 before they go.
                    Awaitility.await()
                            .until(() -> replica.messages(" 499").size()
                                            + replica.messages(" 503").size()
                                    == CLIENTS);
                    // By then some have failed, whose failures nobody waits for.
                    try (KeptConnection last = new KeptConnection(replica.port())) {
                        assertEquals(503, last.send(request).read().status());
                    }
                }));
        for (int i = 0; i < CLIENTS; i++) {
            try (KeptConnection connection = new KeptConnection(replica.port())) {
                assertEquals(status, connection.send(request).read().status());
            }
        }
        assertFalse(replica.log().contains("\"level\":\"ERROR\""), replica.log());
    }

    /** More than may run at a time, and one that waits. */
    @ParameterizedTest
    @CsvSource({"api_key, /admin/keys/1, getKey", "usage_day, /admin/usage, exportUsage"})
    void operators_whoseClientsGoAway_areAuditedOnceEach(String table, String path, String action) throws IOException {
        String request = RawHttp.head("GET " + path, Operator.TOKEN, "Accept: text/csv");
        TestDatabase.during(
                "lock table " + table + " in access exclusive mode",
                () -> assertDoesNotThrow(() -> {
                    KeptConnection.closeAll(KeptConnection.open(OPERATORS, replica.port(), request));
                    Awaitility.await().until(() -> replica.messages(" 499").size() == OPERATORS);
                }));
        replica.get(path, "Authorization", "Bearer " + Operator.TOKEN, "Accept", "text/csv")
                .join();
        Awaitility.await().until(() -> replica.audits("action=" + action + " ").size() == OPERATORS + 1);
    }

    /** Also those that are rejected, since others wait. */
    @Test
    void operators_whoWaitForALock_areAuditedWithTheirActions() {
        TestDatabase.during(
                "lock table api_key in access exclusive mode",
                () -> Stream.generate(
                                () -> replica.get(Operator.path(known), "Authorization", "Bearer " + Operator.TOKEN))
                        .limit(OPERATORS)
                        .toList()
                        .forEach(CompletableFuture::join));
        String line = "action=getKey key=" + known.id() + " owner= outcome=503 ";
        Awaitility.await().until(() -> replica.audits(line).size() == OPERATORS);
    }

    private static void assertSoon(int status, IntSupplier request) {
        long begun = System.nanoTime();
        assertEquals(status, request.getAsInt());
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        assertTrue(took.compareTo(LONGEST.plus(Replica.ROOM)) < 0, "took " + took);
    }
}
