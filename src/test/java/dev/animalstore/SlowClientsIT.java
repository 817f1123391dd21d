package dev.animalstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The packaged application among clients that are slow, idle, endless or many: those that behave are served as if alone. Writes the table
 * that the README shows.
 */
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
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            long begin = System.nanoTime();
            CompletableFuture<HttpResponse<String>> answer = replica.get("/v1/pets?limit=1", key);
            answers.add(answer);
            nanos.add(answer.thenApply(done -> System.nanoTime() - begin));
        }
        long served = answers.stream()
                .filter(answer -> answer.join().statusCode() == 200)
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
    void clients_besideSlowOnes_areServedAsIfAlone() throws Exception {
        Load.Result alone = load("nothing", Duration.ofSeconds(3));
        List<Socket> connections = new ArrayList<>();
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        try {
            List<Socket> idle = open(IDLE, "");
            List<Socket> heads = open(TRICKLING, "GET /v1/pets" + authorization + "X-Slow: ");
            List<Socket> bodies = open(
                    TRICKLING,
                    "POST /v1/pets" + authorization
                            + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{");
            Stream.of(idle, heads, bodies).forEach(connections::addAll);
            ScheduledFuture<?> trickling = clock.scheduleAtFixedRate(
                    () -> Stream.of(heads, bodies).flatMap(List::stream).forEach(SlowClientsIT::trickle),
                    0,
                    1,
                    TimeUnit.SECONDS);

            Load.Result beside = load(
                    "%d idle, %d slow heads, %d slow bodies".formatted(IDLE, TRICKLING, TRICKLING),
                    Duration.ofSeconds(8));

            assertFalse(trickling.isDone(), "the slow clients go on");
            assertEquals(beside.requests(), beside.admitted());
            assertTrue(beside.p99Millis() <= alone.p99Millis() + 200, beside::toString);
            for (Socket body : bodies) {
                assertTrue(RawHttp.readAll(body.getInputStream()).startsWith("HTTP/1.1 408 "));
            }
            for (Socket unused : idle) {
                assertEquals("", RawHttp.readAll(unused.getInputStream()), "closed without a word");
            }
        } finally {
            clock.shutdownNow();
            for (Socket connection : connections) {
                connection.close();
            }
        }
    }

    @Test
    @Order(3)
    void clients_besideEndlessBodies_areServedAndThoseRefused() throws Exception {
        String chunk = "400\r\n" + " ".repeat(0x400) + "\r\n";
        List<CompletableFuture<String>> endless = Stream.generate(() -> CompletableFuture.supplyAsync(
                        () -> {
                            try (Socket socket = open("POST /v1/pets" + authorization
                                    + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")) {
                                return sendUntilAnswered(socket, chunk);
                            } catch (IOException e) {
                                return e.toString();
                            }
                        },
                        run -> new Thread(run).start()))
                .limit(ENDLESS)
                .toList();
        Load.Result beside = load("%d bodies that never end".formatted(ENDLESS), Duration.ofSeconds(3));
        assertEquals(beside.requests(), beside.admitted());
        for (CompletableFuture<String> answer : endless) {
            assertTrue(answer.join().startsWith("HTTP/1.1 413 "), answer::join);
        }
    }

    @Test
    @Order(4)
    void requests_pipelined_areAnsweredInTheirOrder() throws IOException {
        StringBuilder requests = new StringBuilder();
        IntStream.range(0, PIPELINED)
                .forEach(i -> requests.append("GET /v1/pets?limit=")
                        .append(i)
                        .append(authorization)
                        .append("\r\n"));
        requests.append("GET /v1/nothing").append(authorization).append("Connection: close\r\n\r\n");
        try (Socket socket = open(requests.toString())) {
            List<String> statuses = RawHttp.readAll(socket.getInputStream())
                    .lines()
                    .filter(line -> line.contains("HTTP/1.1 "))
                    .map(line -> line.replaceFirst(".*HTTP/1.1 ([0-9]+).*", "$1"))
                    .toList();
            List<String> expected = IntStream.rangeClosed(0, PIPELINED)
                    .mapToObj(i -> i == PIPELINED ? "404" : i >= 1 && i <= 100 ? "200" : "400")
                    .toList();
            assertEquals(expected, statuses);
        }
    }

    private static Load.Result load(String beside, Duration time) throws IOException {
        Load.Result result = new Load(replica, key).run(time);
        report(
                beside,
                result.requests(),
                result.admitted(),
                result.medianMillis(),
                result.p99Millis(),
                result.slowestMillis());
        return result;
    }

    private static List<Socket> open(int count, String begin) throws IOException {
        List<Socket> connections = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            connections.add(open(begin));
        }
        return connections;
    }

    private static Socket open(String begin) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), replica.port());
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static void trickle(Socket socket) {
        try {
            socket.getOutputStream().write('a');
        } catch (IOException closed) {
            // The server has given it up, which the test looks at afterwards.
        }
    }

    private static String sendUntilAnswered(Socket socket, String chunk) throws IOException {
        while (socket.getInputStream().available() == 0) {
            socket.getOutputStream().write(chunk.getBytes(StandardCharsets.US_ASCII));
        }
        return RawHttp.readAll(socket.getInputStream());
    }

    private static void report(String beside, int requests, long served, double median, double p99, double slowest) {
        TABLE.add(beside, requests, served, requests - served, median, p99, slowest);
    }
}
