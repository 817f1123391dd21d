package dev.animalstore.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that the client asks to close, half-closes or resets. */
class ConnectionCloseIT {
    private static final String HEALTH = "GET /q/health/live HTTP/1.1\r\nHost: localhost\r\n";
    private static final String BUNDLE = "GET /q/swagger-ui/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String PET = "{\"name\":\"Rex\",\"categoryId\":1}";

    @AutoClose
    private static Replica replica;

    private static TestKey key;
    private static String add;

    @BeforeAll
    static void start() throws IOException {
        replica = Replica.start(Map.of());
        key = TestKey.unlimited();
        add = "POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key.text()
                + "\r\nContent-Type: application/json\r\nContent-Length: " + PET.length() + "\r\n\r\n" + PET;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection: close",
                "Connection: CLOSE",
                "Connection: TE, close",
                "Connection: close, TE",
                "Connection: TE ,\tClose ",
                "Connection: TE\r\nConnection: close",
                "Connection: close\r\nConnection: TE",
                "Connection: keep-alive, close"
            })
    void connection_thatIsToBeClosed_isClosedBehindTheResponse(String header) throws IOException {
        for (String target : List.of("/q/health/live", "/q/openapi", "/q/swagger-ui/", "/v1/pets", "/nothing")) {
            try (KeptConnection connection = new KeptConnection(replica.port())) {
                RawHttp response = connection
                        .send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n\r\n" + add)
                        .read();
                assertEquals("close", response.header("Connection"), target);
                assertEquals("", connection.readToEnd(), target);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Connection: TE", "Connection: keep-alive, TE", "Connection: close-not", "Connection: "})
    void connection_thatIsNotToBeClosed_servesTheNextRequest(String header) throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            for (int i = 0; i < 2; i++) {
                RawHttp response = connection.send(HEALTH + header + "\r\n\r\n").read();
                assertEquals(200, response.status());
                assertEquals("", response.header("Connection"));
            }
        }
    }

    /** A proxy may read other requests from these bytes than the service. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Transfer-Encoding: identity",
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding: gzip, chunked",
                "Transfer-Encoding: chunked;x=1",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: ",
                "Host: elsewhere"
            })
    void connection_withAnAmbiguousHead_isClosedBehindTheRefusal(String header) throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            String responses = connection
                    .send("POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key.text()
                            + "\r\nContent-Type: application/json\r\n" + header + "\r\n\r\n" + add)
                    .readToEnd();
            // After broken chunks no response is sent.
            assertTrue(responses.isEmpty() || responses.startsWith("HTTP/1.1 400 "), responses);
            assertEquals(responses.lastIndexOf("HTTP/1.1 "), responses.indexOf("HTTP/1.1 "), responses);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/2.0", "HT&/1.1", "HTTP/1.1TTP/1.1", "0HTTP/1.1", "HTTP/0.9"})
    void connection_ofAnotherVersionOfHttp_isClosedBehindTheRefusal(String version) throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            String responses = connection
                    .send("GET /v1/pets " + version + "\r\nHost: localhost\r\n\r\n")
                    .readToEnd();
            assertTrue(responses.startsWith("HTTP/1.1 400 "), responses);
        }
    }

    /** A newer minor version is served as the newest known one (RFC 9110, section 2.5). */
    @Test
    void connection_ofALaterMinorVersion_isServed() throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            RawHttp response = connection
                    .send("GET /q/health/live HTTP/1.2\r\nHost: localhost\r\n\r\n")
                    .read();
            assertEquals("HTTP/1.1 200 OK", response.head().lines().findFirst().orElseThrow());
        }
    }

    @Test
    void connection_halfClosedBehindRequests_getsAllResponses() throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            connection.send(add + add + BUNDLE + add).endOutput();
            assertEquals(201, connection.read().status());
            assertEquals(201, connection.read().status());
            RawHttp bundle = connection.read();
            assertEquals(200, bundle.status());
            assertEquals("", bundle.header("Connection"));
            RawHttp last = connection.read();
            assertEquals(201, last.status());
            assertEquals("close", last.header("Connection"));
            assertEquals("", connection.readToEnd());
        }
    }

    /** A request without a key is responded to as soon as its head is processed. */
    @Test
    void connection_halfClosedBehindARequestThatIsRefusedAtOnce_isClosedBehindTheResponse() throws IOException {
        for (String first : List.of(add, BUNDLE, HEALTH + "\r\n")) {
            try (KeptConnection connection = new KeptConnection(replica.port())) {
                connection
                        .send(first + "GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n")
                        .endOutput();
                connection.read();
                assertEquals(401, connection.read().status());
                assertEquals("", connection.readToEnd());
            }
        }
    }

    /** The complete request gets its response; the incomplete one after it is dropped. */
    @ParameterizedTest
    @ValueSource(ints = {1, 100, 10})
    void connection_halfClosedWithinARequest_getsTheResponsesToThoseBefore(int missing) throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            connection.send(add + add.substring(0, add.length() - missing)).endOutput();
            assertEquals(201, connection.read().status());
            assertEquals("", connection.readToEnd());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 170})
    void connection_halfClosedWithoutAWholeRequest_isClosed(int length) throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            connection.send(add.substring(0, length)).endOutput();
            assertEquals("", connection.readToEnd());
        }
    }

    @Test
    void connection_halfClosedWhileIdle_isClosed() throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            assertEquals(200, connection.send(HEALTH + "\r\n").read().status());
            assertEquals("", connection.endOutput().readToEnd());
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
        Awaitility.await().until(() -> replica.log().text().contains("behind-the-resets"));
        String log = replica.log().text();
        assertFalse(log.contains("\"level\":\"ERROR\""), log);
    }
}
