package dev.animalstore.packaged;

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
import dev.animalstore.process.Artifact;
import dev.animalstore.process.ProxyProcess;
import dev.animalstore.process.ProxyProcess.Kind;
import dev.animalstore.process.Replica;
import dev.animalstore.process.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The packaged application in its production configuration, stopped while requests are in flight and arrive. */
@Tag("timed")
@Tag("long")
class ShutdownIT {
    private static final int AT_ONCE = 1000;

    /** Twice as long as in production, for slow machines. */
    private static final Map<String, String> DELAYED = Map.of("quarkus.shutdown.delay", "10s");

    /** The termination grace period of the manifests, less preStop, which precedes the signal. */
    private static final Duration GRACE = Duration.ofSeconds(55);

    /** The status of a process that ends after SIGTERM. */
    private static final int TERMINATED = 143;

    private static final int CLIENTS = 32;

    /** The clients then send about 300 requests per second, which leave enough processor time for a starting replica. */
    private static final Duration PAUSE = Duration.ofMillis(100);

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
            assertEquals(503, replica.status("/"));
            clients.awaitMore(AT_ONCE);
            Attempts attempts = clients.stop();
            assertEquals(Set.of(200), attempts.statuses().keySet(), attempts::toString);
            assertTrue(attempts.count(Attempt::isLast) > 0, "connections that are kept open are told that they end");
            assertEquals(TERMINATED, replica.awaitEnd(GRACE));
            assertEquals(attempts.requests(), listsInTheLog(replica));
        }
    }

    /** Redis is probed every millisecond, so that probes run during each step of the shutdown. */
    @Test
    void termination_duringAnUpload_respondsToItAndToProbesAndLogsNoError() throws Exception {
        try (Replica replica = Replica.start(Map.of("animalstore.redis.probe-every", "1ms"));
                KeptConnection slow = new KeptConnection(replica.port())) {
            String expectation = "Expect: 100-continue\r\nContent-Length: " + Replica.PET.length();
            slow.send(RawHttp.head("POST /v1/pets", TestKey.unlimited().text(), expectation));
            assertEquals(100, slow.read().status());

            replica.terminate();

            Awaitility.await().until(() -> replica.log().contains("Waiting for HTTP requests to complete"));
            for (int i = 0; i < 3; i++) {
                assertEquals(200, replica.status("/q/health/live"));
                assertEquals(503, replica.status("/q/health/ready"));
                assertEquals(200, replica.status("/q/metrics"));
            }
            assertEquals(201, slow.send(Replica.PET).read().status());
            assertEquals(TERMINATED, replica.awaitEnd(GRACE));
            assertFalse(replica.log().contains("ERROR"), replica.log());
        }
    }

    /** HAProxy asks for {@code /}; nginx is told by readiness, as an Ingress is. */
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"HAPROXY", "NGINX"})
    @EnabledIf(
            value = "dev.animalstore.process.ProxyProcess#areInstalled",
            disabledReason = "haproxy, nginx or curl is not on the PATH.")
    void restart_ofEachReplicaBehindAProxy_losesNoAddition(Kind kind) throws Exception {
        Replica first = Replica.start(DELAYED);
        Replica second = Replica.start(DELAYED);
        TestKey key = TestKey.unlimited();
        long before = TestDatabase.number("select count(*) from pet");
        try (ProxyProcess proxy = new ProxyProcess(kind, first.port(), second.port());
                Load clients = Load.additions(CLIENTS, PAUSE, proxy.port(), key)) {
            clients.awaitMore(CLIENTS);
            first = restart(first, second, proxy, clients);
            second = restart(second, first, proxy, clients);

            Attempts attempts = clients.stop();
            assertEquals(Set.of(201), attempts.statuses().keySet(), attempts::toString);
            assertEquals(attempts.requests(), TestDatabase.number("select count(*) from pet") - before);
        } finally {
            first.kill();
            second.kill();
        }
    }

    /** Stops a replica, while the proxy still has the other one, and starts it again on the same port. */
    private static Replica restart(Replica old, Replica other, ProxyProcess proxy, Load clients) throws IOException {
        old.terminate();
        Awaitility.await().until(() -> old.status("/q/health/ready") == 503);
        proxy.serve(other.port());
        assertEquals(TERMINATED, old.awaitEnd(GRACE));
        clients.awaitMore(10 * CLIENTS);
        Replica started = Replica.start(Artifact.read().process(Settings.with(DELAYED, old.port())), old.port());
        proxy.serve(started.port(), other.port());
        Awaitility.await().until(() -> !started.messages("POST /v1/pets 201").isEmpty());
        return started;
    }

    private static long listsInTheLog(Replica replica) throws IOException {
        return replica.messages("GET /v1/pets 200").size();
    }
}
