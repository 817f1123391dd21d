package dev.animalstore.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections on which a response is sent before the body of its request has been read, whichever handler sent it. */
class UnreadBodyIT {
    private static final String HEALTH = "GET /q/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final int DROPPED = 1024 * 1024;

    @AutoClose
    private static Replica replica;

    private static TestKey key;
    private static TestKey spent;

    @BeforeAll
    static void start() throws IOException {
        replica = Replica.start(Map.of(
                "animalstore.admin.token", Operator.TOKEN, "animalstore.failed-authentication.per-minute", "10000"));
        key = TestKey.unlimited();
        spent = TestKey.of(1, 1000);
        assertEquals(200, replica.get("/v1/pets", spent).join().statusCode());
    }

    static Stream<Arguments> requests() {
        return Stream.of(
                Arguments.of(401, "POST /v1/pets", ""),
                Arguments.of(401, "POST /admin/keys", ""),
                Arguments.of(404, "POST /v1/nothing", key.text()),
                Arguments.of(404, "POST /admin/nothing", Operator.TOKEN),
                Arguments.of(404, "POST /nothing", ""),
                Arguments.of(404, "POST /q/nothing", ""),
                Arguments.of(405, "DELETE /v1/pets", key.text()),
                Arguments.of(429, "POST /v1/pets", spent.text()),
                Arguments.of(200, "GET /v1/pets", key.text()),
                Arguments.of(200, "GET /q/health/live", ""),
                Arguments.of(200, "GET /q/openapi", ""),
                Arguments.of(200, "GET /q/metrics", ""),
                Arguments.of(200, "GET /q/swagger-ui/", ""),
                Arguments.of(200, "GET /q/swagger-ui/swagger-ui-bundle.js", ""));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void body_thatIsNotTooLong_isDroppedAndTheConnectionServesTheNextRequest(int status, String request, String bearer)
            throws IOException {
        for (int length : new int[] {1, 60_000, 70_000, DROPPED}) {
            try (KeptConnection connection = new KeptConnection(replica.port())) {
                RawHttp response = connection
                        .send(head(request, bearer, "Content-Length: " + length) + "x".repeat(length))
                        .read();
                assertEquals(status, response.status());
                assertEquals("", response.header("Connection"));
                assertEquals(200, connection.send(HEALTH).read().status(), "after " + length + " bytes");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("requests")
    void body_thatIsTooLong_closesTheConnectionWhichTheResponseAnnounces(int status, String request, String bearer)
            throws IOException {
        int length = 4 * DROPPED;
        assertClosed(status, head(request, bearer, "Content-Length: " + length) + "x".repeat(length));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void body_inChunks_closesTheConnectionWhichTheResponseAnnounces(int status, String request, String bearer)
            throws IOException {
        String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
        assertClosed(
                status, head(request, bearer, "Transfer-Encoding: chunked") + chunk.repeat(40) + "0\r\n\r\n" + HEALTH);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void body_thatTheClientDoesNotSend_closesTheConnectionWhichTheResponseAnnounces(
            int status, String request, String bearer) throws IOException {
        assertClosed(status, head(request, bearer, "Content-Length: 10\r\nExpect: 100-continue"));
    }

    /** The response has announced that the connection is closed, so the next request must not be processed. */
    @Test
    void request_behindABodyThatIsTooLong_isNotServed() throws IOException {
        String add = "{\"name\":\"behind\",\"categoryId\":1}";
        String next = head("POST /v1/pets", key.text(), "Content-Length: " + add.length()) + add;
        int length = 2 * DROPPED;
        String before = replica.get("/v1/pets?limit=100", key).join().body();
        assertClosed(401, head("POST /v1/pets", "", "Content-Length: " + length) + "x".repeat(length) + next.repeat(3));
        assertEquals(before, replica.get("/v1/pets?limit=100", key).join().body());
    }

    @Test
    void body_thatStopsAfterTheResponse_closesTheConnectionInTime() throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            RawHttp response = connection
                    .send(head("POST /v1/pets", "", "Content-Length: 1000") + "x")
                    .read();
            assertEquals(401, response.status());
            connection.awaitUpTo(Duration.ofSeconds(15));
            assertEquals("", connection.readToEnd());
        }
    }

    private static void assertClosed(int status, String bytes) throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            RawHttp response = connection.send(bytes).read();
            assertEquals(status, response.status());
            assertEquals("close", response.header("Connection"));
            assertFalse(response.body().isEmpty());
            assertTrue(connection.readToEnd().isEmpty(), "nothing follows the response");
        }
    }

    private static String head(String request, String bearer, String headers) {
        return request + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + (bearer.isEmpty() ? "" : "Authorization: Bearer " + bearer + "\r\n") + headers + "\r\n\r\n";
    }
}
