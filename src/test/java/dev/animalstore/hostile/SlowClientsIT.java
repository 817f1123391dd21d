package dev.animalstore.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Load;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The packaged application with clients that are slow, idle or many: other clients are served without delay. */
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SlowClientsIT {
    private static final int AT_ONCE = 1000;

    /** With the slow ones and eight others nearly as many as a replica keeps by default. */
    private static final int IDLE = 600;

    private static final int TRICKLING = 200;
    private static final int PIPELINED = 500;

    /** Much less than the ten seconds that a slow body may take, for which it would block a thread. */
    private static final int LONGEST_DELAY_MILLIS = 1000;

    private static final Pattern STATUS = Pattern.compile("HTTP/1.1 ([0-9]+)");

    @AutoClose
    private static Replica replica;

    private static TestKey key;
    private static String authorization;

    @BeforeAll
    static void start() throws IOException {
        replica = Replica.start(Map.of("quarkus.http.idle-timeout", "15s"));
        key = TestKey.unlimited();
        authorization = " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key.text() + "\r\n";
    }

    @Test
    @Order(1)
    void requests_aThousandAtOnceOnAColdStart_areAllServed() {
        Attempts attempts = Load.lists(AT_ONCE, Duration.ZERO, client -> replica, List.of(key))
                .stop();
        assertTrue(attempts.requests() >= AT_ONCE, attempts::toString);
        assertEquals(attempts.requests(), attempts.admitted(), attempts::toString);
    }

    @Test
    @Order(2)
    void clients_besideSlowOnes_areServedWithoutDelay() throws Exception {
        Attempts alone = assertAllServed(Duration.ofSeconds(3));
        List<KeptConnection> connections = new ArrayList<>();
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        try {
            List<KeptConnection> idle = KeptConnection.open(IDLE, replica.port(), "");
            List<KeptConnection> heads =
                    KeptConnection.open(TRICKLING, replica.port(), "GET /v1/pets" + authorization + "X-Slow: ");
            List<KeptConnection> bodies = KeptConnection.open(
                    TRICKLING,
                    replica.port(),
                    "POST /v1/pets" + authorization
                            + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{");
            Stream.of(idle, heads, bodies).forEach(connections::addAll);
            ScheduledFuture<?> trickling = clock.scheduleAtFixedRate(
                    () -> Stream.of(heads, bodies).flatMap(List::stream).forEach(SlowClientsIT::trickle),
                    0,
                    1,
                    TimeUnit.SECONDS);

            Attempts beside = assertAllServed(Duration.ofSeconds(8));

            assertFalse(trickling.isDone(), "the slow clients go on");
            assertTrue(
                    beside.p99Millis() <= 3 * alone.p99Millis() + LONGEST_DELAY_MILLIS,
                    () -> alone + " alone, beside " + beside);
            for (KeptConnection body : bodies) {
                RawHttp response = body.read();
                assertEquals(408, response.status());
                assertEquals("close", response.header("Connection"));
                assertEquals("", body.readToEnd());
            }
            for (KeptConnection unused : idle) {
                assertEquals("", unused.readToEnd(), "closed without a word");
            }
        } finally {
            clock.shutdownNow();
            KeptConnection.closeAll(connections);
        }
    }

    @Test
    @Order(3)
    void requests_pipelined_getResponsesInTheirOrder() throws IOException {
        String requests = IntStream.rangeClosed(0, PIPELINED)
                .mapToObj(i -> "GET /v1/pets?limit=" + i + authorization
                        + (i == PIPELINED ? "Connection: close\r\n\r\n" : "\r\n"))
                .collect(Collectors.joining());
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            List<String> statuses = STATUS.matcher(connection.send(requests).readToEnd())
                    .results()
                    .map(status -> status.group(1))
                    .toList();
            assertEquals(
                    IntStream.rangeClosed(0, PIPELINED)
                            .mapToObj(i -> i >= 1 && i <= 100 ? "200" : "400")
                            .toList(),
                    statuses);
        }
    }

    private static Attempts assertAllServed(Duration time) {
        Attempts attempts = Load.lists(List.of(replica), key).stopAfter(time);
        assertEquals(attempts.requests(), attempts.admitted(), attempts::toString);
        return attempts;
    }

    private static void trickle(KeptConnection connection) {
        try {
            connection.send("a");
        } catch (IOException closed) {
            // The server has closed the connection, which the test checks afterwards.
        }
    }
}
