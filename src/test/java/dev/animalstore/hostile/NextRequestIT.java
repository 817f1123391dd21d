package dev.animalstore.hostile;

import static dev.animalstore.process.Replica.PET;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whether a connection serves the next request, or its response says that it does not: if a request has not ended before its response,
 * whichever handler sent it, if the client asks to close it, and if the client resets it. Nothing is served behind a request whose end a
 * proxy may see elsewhere.
 */
class NextRequestIT {
    private static final String DOCUMENT = "GET /q/openapi HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String BUNDLE = "GET /q/swagger-ui/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final int ABORTED = 5000;
    private static final int LONG = 4 * 1024 * 1024;
    private static final Duration DISCARD_TIME = Duration.ofSeconds(2);
    private static final Duration BODY_TIME = Duration.ofSeconds(10);

    private static Replica replica;
    private static TestKey key;
    private static TestKey spent;

    @BeforeAll
    static void start() throws IOException {
        replica = Replica.shared(Map.of());
        key = TestKey.unlimited();
        spent = TestKey.of(1, 1000);
        assertEquals(200, replica.status("/v1/pets", spent));
    }

    private record EarlyRequest(int status, String request, String bearer) {}

    /**
     * Otherwise a proxy that reuses it would send the next request where the rest of the body is expected. All have their response before the
     * end of any is awaited, so the times of discarding pass together.
     */
    @Test
    @Tag("timed")
    void response_beforeTheEndOfItsRequest_closesTheConnectionBehindIt() throws IOException {
        List<EarlyRequest> requests = List.of(
                new EarlyRequest(401, "POST /v1/pets", ""),
                new EarlyRequest(401, "POST /admin/keys", ""),
                new EarlyRequest(404, "POST /v1/nothing", key.text()),
                new EarlyRequest(404, "POST /admin/nothing", Operator.TOKEN),
                new EarlyRequest(404, "POST /nothing", ""),
                new EarlyRequest(404, "POST /q/nothing", ""),
                new EarlyRequest(405, "DELETE /v1/pets", key.text()),
                new EarlyRequest(429, "POST /v1/pets", spent.text()),
                new EarlyRequest(200, "GET /v1/pets", key.text()),
                new EarlyRequest(200, "GET /q/openapi", ""),
                new EarlyRequest(200, "GET /q/swagger-ui/", ""),
                new EarlyRequest(200, "GET /q/swagger-ui/swagger-ui-bundle.js", ""));
        String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
        List<String> rests = List.of(
                "Content-Length: 1\r\n\r\nx",
                "Content-Length: " + LONG + "\r\n\r\n" + "x".repeat(LONG),
                "Transfer-Encoding: chunked\r\n\r\n" + chunk.repeat(40) + "0\r\n\r\n",
                "Content-Length: 10\r\nExpect: 100-continue\r\n\r\n");
        List<KeptConnection> connections = KeptConnection.open(requests.size() * rests.size(), replica.port(), "");
        try {
            for (int i = 0; i < connections.size(); i++) {
                EarlyRequest early = requests.get(i / rests.size());
                String head = RawHttp.head(early.request(), early.bearer(), rests.get(i % rests.size()));
                RawHttp response = connections
                        .get(i)
                        .send(head.substring(0, head.length() - "\r\n\r\n".length()))
                        .read();
                assertEquals(early.status(), response.status(), early::toString);
                assertEquals("close", response.header("Connection"), early::toString);
                // Of no area.
                boolean isQuarkus = early.status() == 404 && early.bearer().isEmpty();
                assertEquals(isQuarkus, response.body().isEmpty(), early::toString);
            }
            for (int i = 0; i < connections.size(); i++) {
                connections.get(i).awaitUpTo(DISCARD_TIME.plus(Replica.ROOM));
                assertEquals("", connections.get(i).readToEnd(), "of connection " + i);
            }
        } finally {
            KeptConnection.closeAll(connections);
        }
    }

    /** A client that never ends its upload. */
    @Test
    @Tag("timed")
    void rest_thatDoesNotEnd_isDiscardedForTwoSeconds() throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            connection.send(RawHttp.head("POST /v1/pets", "", "Transfer-Encoding: chunked"));
            assertEquals(401, connection.read().status());
            long begin = System.nanoTime();
            assertThrows(IOException.class, () -> {
                while (true) {
                    connection.send("1\r\nx\r\n");
                }
            });
            Duration time = Duration.ofNanos(System.nanoTime() - begin);
            assertThat(time, allOf(greaterThan(DISCARD_TIME.dividedBy(2)), lessThan(DISCARD_TIME.plus(Replica.ROOM))));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "DELETE", "GET"})
    void request_withAnEmptyBody_leavesTheConnectionOpen(String method) throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            RawHttp response = connection
                    .send(RawHttp.head(method + " /v1/nothing", "", "Content-Length: 0"))
                    .read();
            assertEquals(401, response.status());
            assertEquals("", response.header("Connection"));
        }
    }

    /** Quarkus alone would respond to them before the service sees them. */
    @ParameterizedTest
    @ValueSource(strings = {"/v1/pets/%zz", "/v1/%+1", "/q/openapi%"})
    void target_thatIsNoUri_isRefusedAndClosesTheConnection(String target) throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            RawHttp response = connection
                    .send(RawHttp.head("POST " + target, key.text(), "Content-Length: 1000") + "x")
                    .read();
            assertEquals(400, response.status());
            assertEquals(
                    "{\"code\":\"bad_request\",\"message\":\"The request target or the Host header is malformed.\",\"status\":400}",
                    response.body());
            assertEquals("close", response.header("Connection"));
            assertEquals("private", response.header("Cache-Control"));
        }
    }

    /** Browsers do not encode these characters. Beside a percent sign that encodes nothing the other parameters are read. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "x=| 200",
                "x={ 200",
                "x=^ 200",
                "x=[ 200",
                "x=% 200",
                "%=%zz 200",
                "x=%&limit=0 400",
                "x={&limit=0 400"
            })
    void query_thatIsNoUri_isRead(String query, int status) throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            RawHttp response = connection
                    .send(RawHttp.head("GET /v1/pets?" + query, key.text(), "Accept: */*"))
                    .read();
            assertEquals(status, response.status());
            assertEquals(status == 400, response.body().startsWith("{\"code\":\"invalid_parameter\""));
        }
    }

    @Test
    @Tag("timed")
    void body_thatStops_closesTheConnectionInTime() throws IOException {
        try (KeptConnection read = new KeptConnection(replica.port())) {
            read.send(RawHttp.head("POST /v1/pets", key.text(), "Content-Length: 1000") + "x");
            read.awaitUpTo(BODY_TIME.plus(Replica.ROOM));
            RawHttp response = read.read();
            assertEquals(408, response.status());
            assertEquals(
                    "{\"code\":\"request_timeout\",\"message\":\"The body did not arrive within 10 s.\",\"status\":408}",
                    response.body());
            assertEquals("1000000", response.header("X-RateLimit-Limit"));
            assertEquals("close", response.header("Connection"));
            assertEquals("", read.readToEnd());
        }
    }

    @Test
    void connection_thatIsToBeClosed_isClosedBehindTheResponse() throws IOException {
        for (String target : List.of("/q/openapi", "/q/swagger-ui/", "/v1/pets", "/nothing")) {
            try (KeptConnection connection = new KeptConnection(replica.port(), 2304)) {
                RawHttp response = connection
                        .send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" + DOCUMENT)
                        .read();
                assertEquals("close", response.header("Connection"), target);
                assertEquals("", connection.readToEnd(), target);
            }
        }
    }

    /** The line of a later request shows that the log is complete. */
    @Test
    void downloads_thatAreReset_areNoErrorsInTheLog() throws Exception {
        for (int i = 0; i < 50; i++) {
            KeptConnection connection = new KeptConnection(replica.port(), 2304).send(BUNDLE.repeat(3));
            Awaitility.await().until(connection::hasReceived);
            connection.reset();
        }
        replica.get("/v1/nothing", "X-Request-Id", "behind-the-resets").join();
        Awaitility.await().until(() -> replica.log().contains("behind-the-resets"));
        String log = replica.log();
        assertFalse(log.contains("\"level\":\"ERROR\""), log);
    }

    /** The server fails at such a connection before it has closed it, so no count of its own would go down. */
    @Test
    void connections_abortedWhileARequestWaitsBehindAnother_leaveNothing() throws Exception {
        String open = "process_files_open_files";
        String requests = RawHttp.head("GET /v1/pets", key.text(), "Accept: */*")
                + RawHttp.head("POST /v1/pets", key.text(), "Content-Length: 1000")
                + Replica.PET;
        double before = replica.metric(open);
        for (int i = 0; i < ABORTED; i++) {
            try (KeptConnection connection = new KeptConnection(replica.port())) {
                connection.send(requests);
            }
        }

        assertEquals(200, replica.status("/v1/pets", key));
        // Connections to PostgreSQL may have been opened.
        Awaitility.await().until(() -> replica.metric(open) < before + 50);
        assertThat(replica.log(), not(containsString("NullPointerException")));
        assertThat(replica.log(), not(containsString("\"level\":\"ERROR\"")));
    }

    /** {@code \n} stands for CR LF; the body is a pet of 0x1d bytes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1\nContent-Length: 29\nTransfer-Encoding: chunked\n\n1d\n" + PET + "\n0\n\n",
                "HTTP/1.1\nTransfer-Encoding: chunked\nContent-Length: 4\n\n1d\n" + PET + "\n0\n\n",
                "HTTP/1.0\nConnection: keep-alive\nTransfer-Encoding: chunked\n\n1d\n" + PET + "\n0\n\n",
                "HTTP/1.1\nTransfer-Encoding: identity\n\n",
                "HTTP/1.1\nTransfer-Encoding: xchunked\n\n",
                "HTTP/1.1\nTransfer-Encoding: gzip, chunked\n\n1d\n" + PET + "\n0\n\n",
                "HTTP/1.1\nTransfer-Encoding: chunked;x=1\n\n",
                "HTTP/1.1\nTransfer-Encoding: chunked\nTransfer-Encoding: chunked\n\n1d\n" + PET + "\n0\n\n",
                "HTTP/1.1\nTransfer-Encoding: \n\n"
            })
    void request_whoseEndIsAmbiguous_isTheLastOfItsConnection(String rest) throws IOException {
        for (String header : List.of("Authorization: Bearer " + key.text() + "\r\n", "")) {
            String request = rest.replace("\n", "\r\n")
                    .replaceFirst("\r\n", "\r\nHost: localhost\r\nContent-Type: application/json\r\n" + header);
            String responses = exchange("POST /v1/pets " + request + DOCUMENT);
            assertTrue(responses.split("HTTP/1\\.[01] ", -1).length <= 2, responses);
            assertTrue(responses.isEmpty() || responses.matches("(?s)\\S+ (4\\d\\d|501) .*"), responses);
        }
    }

    /** Each stream of an HTTP/2 connection could have an unread response, and a client can ignore the limit of streams. */
    @Test
    void connection_thatBeginsWithHttp2_isRefused() throws IOException {
        String responses = exchange("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        assertTrue(responses.matches("(?s)\\S+ (400|501) .*"), responses);
    }

    @Test
    void body_inPlainChunks_leavesTheConnectionOpen() throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            String request = RawHttp.head("POST /v1/pets", key.text(), "Transfer-Encoding: Chunked") + "1D;a=b\r\n"
                    + PET + "\r\n0\r\n\r\n";
            for (int i = 0; i < 2; i++) {
                RawHttp response = connection.send(request).read();
                assertEquals(201, response.status());
                assertEquals("", response.header("Connection"));
            }
        }
    }

    /** Sends bytes, and returns everything until the service has closed the connection. */
    private static String exchange(String bytes) throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            return connection.send(bytes).readToEnd();
        }
    }
}
