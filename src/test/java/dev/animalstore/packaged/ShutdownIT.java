package dev.animalstore.packaged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.Clients;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The packaged application in its production configuration, stopped while requests are in flight and arrive. */
@Tag("long")
class ShutdownIT {
    private static final Map<String, String> AS_IN_PRODUCTION = Map.of("quarkus.shutdown.delay", "5s");
    private static final int AT_ONCE = 1000;

    /** Clients that send about 300 requests per second, which leave enough processor time for a starting replica. */
    private static final int BESIDE_AN_UPDATE = 32;

    private static final Duration PAUSE = Duration.ofMillis(100);

    /** The termination grace period of the manifests, less preStop, which precedes the signal. */
    private static final Duration GRACE = Duration.ofSeconds(55);

    private static final Duration PATIENCE = Duration.ofSeconds(4);
    private static final String PET = "{\"name\":\"Slow\",\"categoryId\":1}";

    @Test
    void termination_withAThousandRequestsInFlight_respondsToAllAndExitsWith0() throws Exception {
        try (Replica replica = Replica.start(AS_IN_PRODUCTION);
                Clients clients = new Clients(AT_ONCE, Duration.ofMillis(1), () -> replica, TestKey.unlimited());
                Socket slow = new Socket(InetAddress.getLoopbackAddress(), replica.port())) {
            TestKey key = TestKey.unlimited();
            clients.awaitMore(AT_ONCE);
            write(
                    slow,
                    "POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                            + key.text() + "\r\nContent-Length: " + PET.length() + "\r\n\r\n"
                            + PET.substring(0, PET.length() / 2));
            int connectionsClosedBefore = clients.closing();

            replica.terminate();

            Awaitility.await().atMost(PATIENCE).until(() -> replica.status("/q/health/ready") == 503);
            assertEquals(200, replica.status("/q/health/live"));
            clients.awaitMore(AT_ONCE);
            assertEquals(Set.of("200"), clients.outcomes().keySet());
            assertEquals(0, connectionsClosedBefore);
            assertTrue(clients.closing() > 0, "connections that are kept open are told that they end");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> replica.log().text().contains("Waiting for HTTP requests to complete"));
            write(slow, PET.substring(PET.length() / 2));
            String response = RawHttp.readAll(slow.getInputStream());
            assertTrue(response.startsWith("HTTP/1.1 201 "), response);
            assertEquals(0, replica.awaitEnd(GRACE));
        }
    }

    /** Redis is probed every millisecond, so that probes run during each step of the shutdown. */
    @Test
    void termination_withoutRequests_exitsWith0AndLogsNoError() throws Exception {
        try (Replica replica = Replica.start(Map.of("animalstore.redis.probe-every", "1ms"))) {
            replica.terminate();

            assertEquals(0, replica.awaitEnd(GRACE));
            assertFalse(replica.log().text().contains("ERROR"), replica.log().text());
        }
    }

    @Test
    void replacement_ofTwoReplicasOneAfterTheOther_losesNoRequest() throws Exception {
        try (ReadyReplicas ready = new ReadyReplicas(2);
                Clients clients = new Clients(BESIDE_AN_UPDATE, PAUSE, ready::next, TestKey.unlimited())) {
            for (Replica old : ready.all()) {
                clients.awaitMore(AT_ONCE);
                ready.add();
                clients.awaitMore(AT_ONCE);
                old.terminate();
                assertEquals(0, old.awaitEnd(GRACE));
            }
            clients.awaitMore(AT_ONCE);

            assertEquals(Set.of("200"), clients.outcomes().keySet());
            assertTrue(clients.closing() > 0, "the replaced replicas were in use when they ended");
        }
    }

    private static void write(Socket connection, String text) throws IOException {
        connection.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Chooses the ready replicas in turn, as a Service of Kubernetes does, with ten probes per second. */
    private static final class ReadyReplicas implements AutoCloseable {
        private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        private final List<Replica> all = new CopyOnWriteArrayList<>();
        private final AtomicInteger turn = new AtomicInteger();
        private final ScheduledFuture<?> probes;
        private volatile List<Replica> ready;

        ReadyReplicas(int count) throws IOException {
            for (int i = 0; i < count; i++) {
                add();
            }
            ready = all();
            probes = clock.scheduleWithFixedDelay(this::probe, 0, 100, TimeUnit.MILLISECONDS);
        }

        void add() throws IOException {
            all.add(Replica.start(AS_IN_PRODUCTION));
        }

        List<Replica> all() {
            return new ArrayList<>(all);
        }

        Replica next() {
            List<Replica> current = ready;
            return current.get(Math.floorMod(turn.getAndIncrement(), current.size()));
        }

        private void probe() {
            ready = all.stream().filter(ReadyReplicas::isReady).toList();
        }

        private static boolean isReady(Replica replica) {
            try {
                return replica.status("/q/health/ready") == 200;
            } catch (IOException ended) {
                return false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        @Override
        public void close() {
            probes.cancel(false);
            clock.shutdownNow();
            all.forEach(Replica::close);
        }
    }
}
