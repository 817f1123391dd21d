package dev.animalstore.packaged;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Attempts.Attempt;
import dev.animalstore.load.Load;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The packaged application in its production configuration, stopped while requests are in flight and arrive. */
@Tag("long")
class ShutdownIT {
    private static final int AT_ONCE = 1000;

    /** Twice as long as in production, for slow machines. */
    private static final Map<String, String> DELAYED = Map.of(
            "quarkus.shutdown.delay", "10s",
            // Each response closes its connection, so that for a moment there are twice as many.
            "animalstore.http.max-connections", "2048");

    /** The termination grace period of the manifests, less preStop, which precedes the signal. */
    private static final Duration GRACE = Duration.ofSeconds(55);

    /** The status of a process that ends after SIGTERM. */
    private static final int TERMINATED = 143;

    private static final int CLIENTS = 32;

    /** The clients then send about 300 requests per second, which leave enough processor time for a starting replica. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private static final String WAITING_INSERTS =
            "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into pet%'";

    @Test
    void termination_withAThousandRequestsInFlight_respondsToAllAndLogsEach() throws Exception {
        try (Replica replica = Replica.start(DELAYED);
                Load clients =
                        Load.lists(AT_ONCE, Duration.ofMillis(1), client -> replica, List.of(TestKey.unlimited()))) {
            clients.awaitMore(AT_ONCE);
            assertEquals(0, clients.attempts().count(Attempt::isLast));

            replica.terminate();

            Awaitility.await().until(() -> replica.status("/q/health/ready") == 503);
            assertEquals(200, replica.status("/q/health/live"));
            clients.awaitMore(AT_ONCE);
            Attempts attempts = clients.stop();
            assertEquals(Set.of(200), attempts.statuses().keySet(), attempts::toString);
            assertTrue(attempts.count(Attempt::isLast) > 0, "connections that are kept open are told that they end");
            assertEquals(TERMINATED, replica.awaitEnd(GRACE));
            assertEquals(attempts.requests(), listsInTheLog(replica));
        }
    }

    /** Clients that do not follow readiness continue until no connection is accepted. */
    @Test
    void termination_whileClientsContinue_cutsNoRequestOff() throws Exception {
        try (Replica replica = Replica.start(Map.of("quarkus.shutdown.delay", "2s"));
                Load clients =
                        Load.lists(CLIENTS, Duration.ofMillis(1), client -> replica, List.of(TestKey.unlimited()))) {
            clients.awaitMore(10 * CLIENTS);
            replica.terminate();
            assertEquals(TERMINATED, replica.awaitEnd(GRACE));

            Attempts attempts = clients.stop();
            // The kernel resets what arrives between the last accept and the close: 6 in the worst of 25 shutdowns.
            long refused = attempts.count(attempt -> attempt.body().contains("Connection refused"));
            assertTrue(refused >= CLIENTS / 2, attempts::toString);
            assertEquals(attempts.count(200), listsInTheLog(replica));
            assertEquals(attempts.requests() - CLIENTS, attempts.count(200), attempts::toString);
        }
    }

    /** A lock blocks the first of five requests that are sent at once, until the termination has begun. */
    @Test
    void termination_withPipelinedRequests_processesNoneWithoutAResponse() throws Exception {
        String pet = Replica.PET.replace("Rex", "Pipelined");
        // PostgreSQL lets an insert wait for three quarters of the timeout, which is longer than the lock blocks it.
        Map<String, String> settings = Map.of(
                "quarkus.shutdown.delay", "2s",
                "quarkus.datasource.jdbc.additional-jdbc-properties.socketTimeout", "60");
        try (Replica replica = Replica.start(settings);
                KeptConnection client = new KeptConnection(replica.port())) {
            String key = TestKey.unlimited().text();
            String request = RawHttp.head("POST /v1/pets", key, "Content-Length: " + pet.length()) + pet;
            TestDatabase.during("lock table pet in share mode", () -> {
                assertDoesNotThrow(() -> client.send(request.repeat(5)));
                Awaitility.await().until(() -> TestDatabase.number(WAITING_INSERTS) == 1);
                replica.terminate();
                Awaitility.await().until(() -> replica.status("/q/health/ready") == 503);
            });
            assertEquals("", client.read().header("Connection"));
            assertEquals("close", client.read().header("Connection"));
            assertEquals("", client.readToEnd());
            assertEquals(TERMINATED, replica.awaitEnd(GRACE));
            assertEquals(2, TestDatabase.number("select count(*) from pet where name = 'Pipelined'"));
        }
    }

    /** Redis is probed every millisecond, so that probes run during each step of the shutdown. */
    @Test
    void termination_duringAnUpload_respondsToItAndLogsNoError() throws Exception {
        try (Replica replica = Replica.start(Map.of("animalstore.redis.probe-every", "1ms"));
                KeptConnection slow = new KeptConnection(replica.port())) {
            String expectation = "Expect: 100-continue\r\nContent-Length: " + Replica.PET.length();
            slow.send(RawHttp.head("POST /v1/pets", TestKey.unlimited().text(), expectation));
            assertEquals(100, slow.read().status());

            replica.terminate();

            Awaitility.await().until(() -> replica.log().contains("Waiting for HTTP requests to complete"));
            assertEquals(201, slow.send(Replica.PET).read().status());
            assertEquals(TERMINATED, replica.awaitEnd(GRACE));
            assertFalse(replica.log().contains("ERROR"), replica.log());
        }
    }

    /** Clients follow readiness, as a Service of Kubernetes does, though some time later. */
    @Test
    void replacement_ofOneOfTwoReplicas_losesNoRequest() throws Exception {
        try (Replica old = Replica.start(DELAYED);
                Replica kept = Replica.start(DELAYED)) {
            AtomicReference<List<Replica>> served = new AtomicReference<>(List.of(old, kept));
            IntFunction<Replica> any = client -> served.get().get(client % 2);
            try (Load clients = Load.lists(CLIENTS, PAUSE, any, List.of(TestKey.unlimited()));
                    Replica added = Replica.start(DELAYED)) {
                old.terminate();
                Awaitility.await().until(() -> old.status("/q/health/ready") == 503);
                clients.awaitMore(10 * CLIENTS);
                served.set(List.of(added, kept));
                assertEquals(TERMINATED, old.awaitEnd(GRACE));
                clients.awaitMore(10 * CLIENTS);

                Attempts attempts = clients.stop();
                assertEquals(Set.of(200), attempts.statuses().keySet(), attempts::toString);
                assertTrue(attempts.count(Attempt::isLast) > 0, "the replaced replica was in use when it ended");
            }
        }
    }

    private static long listsInTheLog(Replica replica) throws IOException {
        return replica.messages("GET /v1/pets 200").size();
    }
}
