package dev.animalstore.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.FigureTable;
import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Load;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The packaged application with clients that are slow, idle, endless or many: other clients are served without delay. */
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SlowClientsIT {
    private static final FigureTable TABLE = new FigureTable(
            "slow-clients.md", "beside", "requests", "200", "others", "median ms", "p99 ms", "slowest ms");
    private static final int AT_ONCE = 1000;
    private static final int IDLE = 2000;
    private static final int TRICKLING = 250;
    private static final int ENDLESS = 20;
    private static final int PIPELINED = 500;
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(15);

    @AutoClose
    private static Replica replica;

    private static TestKey key;
    private static String authorization;

    @BeforeAll
    static void start() throws IOException {
        replica = Replica.start(Map.of("quarkus.http.idle-timeout", IDLE_TIMEOUT.toSeconds() + "s"));
        key = TestKey.unlimited();
        authorization = " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key.text() + "\r\n";
    }

    @Test
    @Order(1)
    void requests_aThousandAtOnceOnAColdStart_areAllServed() throws IOException {
        List<CompletableFuture<Long>> nanos = new ArrayList<>();
        List<CompletableFuture<HttpResponse<String>>> responses = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            long begin = System.nanoTime();
            CompletableFuture<HttpResponse<String>> response = replica.get("/v1/pets?limit=1", key);
            responses.add(response);
            nanos.add(response.thenApply(done -> System.nanoTime() - begin));
        }
        long served = responses.stream()
                .filter(response -> response.join().statusCode() == 200)
                .count();
        double[] millis =
                nanos.stream().mapToDouble(time -> time.join() / 1e6).sorted().toArray();
        report(
                "nothing: %d at once, cold".formatted(AT_ONCE),
                AT_ONCE,
                served,
                millis[AT_ONCE / 2],
                millis[AT_ONCE * 99 / 100],
                millis[AT_ONCE - 1]);
        assertEquals(AT_ONCE, served);
    }

    @Test
    @Order(2)
    void clients_besideSlowOnes_areServedWithoutDelay() throws Exception {
        Attempts alone = load("nothing", Duration.ofSeconds(3));
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

            Attempts beside = load(
                    "%d idle, %d slow heads, %d slow bodies".formatted(IDLE, TRICKLING, TRICKLING),
                    Duration.ofSeconds(8));

            assertFalse(trickling.isDone(), "the slow clients go on");
            assertEquals(beside.requests(), beside.admitted());
            assertTrue(beside.p99Millis() <= alone.p99Millis() + 200, beside::toString);
            for (KeptConnection body : bodies) {
                assertTrue(body.readToEnd().startsWith("HTTP/1.1 408 "));
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
    void clients_besideEndlessBodies_areServedAndThoseRefused() throws Exception {
        String chunk = "400\r\n" + " ".repeat(0x400) + "\r\n";
        List<CompletableFuture<String>> endless = Stream.generate(() -> CompletableFuture.supplyAsync(
                        () -> {
                            try (KeptConnection connection = new KeptConnection(replica.port())) {
                                connection.send("POST /v1/pets" + authorization
                                        + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
                                return sendUntilResponse(connection, chunk);
                            } catch (IOException e) {
                                return e.toString();
                            }
                        },
                        run -> new Thread(run).start()))
                .limit(ENDLESS)
                .toList();
        Attempts beside = load("%d bodies that never end".formatted(ENDLESS), Duration.ofSeconds(3));
        assertEquals(beside.requests(), beside.admitted());
        for (CompletableFuture<String> response : endless) {
            assertTrue(response.join().startsWith("HTTP/1.1 413 "), response::join);
        }
    }

    @Test
    @Order(4)
    void requests_pipelined_getResponsesInTheirOrder() throws IOException {
        StringBuilder requests = new StringBuilder();
        IntStream.range(0, PIPELINED)
                .forEach(i -> requests.append("GET /v1/pets?limit=")
                        .append(i)
                        .append(authorization)
                        .append("\r\n"));
        requests.append("GET /v1/nothing").append(authorization).append("Connection: close\r\n\r\n");
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            List<String> statuses = connection
                    .send(requests.toString())
                    .readToEnd()
                    .lines()
                    .filter(line -> line.contains("HTTP/1.1 "))
                    .map(line -> line.replaceFirst("(?s).*HTTP/1.1 ([0-9]+).*", "$1"))
                    .toList();
            List<String> expected = IntStream.rangeClosed(0, PIPELINED)
                    .mapToObj(i -> i == PIPELINED ? "404" : i >= 1 && i <= 100 ? "200" : "400")
                    .toList();
            assertEquals(expected, statuses);
        }
    }

    private static Attempts load(String beside, Duration time) throws IOException {
        Attempts result = new Load(replica, key).run(time);
        report(
                beside,
                result.requests(),
                result.admitted(),
                result.medianMillis(),
                result.p99Millis(),
                result.slowestMillis());
        return result;
    }

    private static void trickle(KeptConnection connection) {
        try {
            connection.send("a");
        } catch (IOException closed) {
            // The server has closed the connection, which the test checks afterwards.
        }
    }

    private static String sendUntilResponse(KeptConnection connection, String chunk) throws IOException {
        while (!connection.hasReceived()) {
            connection.send(chunk);
        }
        return connection.readToEnd();
    }

    private static void report(String beside, int requests, long served, double median, double p99, double slowest) {
        TABLE.add(beside, requests, served, requests - served, median, p99, slowest);
    }
}
