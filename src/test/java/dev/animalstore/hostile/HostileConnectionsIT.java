package dev.animalstore.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.FigureTable;
import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Load;
import dev.animalstore.process.Replica;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections without a key that are meant to exhaust memory, on a replica with the heap size of the manifests. */
@Tag("long")
class HostileConnectionsIT {
    private static final FigureTable TABLE =
            new FigureTable("hostile-connections.md", "beside", "requests", "200", "median ms", "p99 ms", "slowest ms");
    private static final int HEADS = 2000;
    private static final int TOO_MANY = 1100;
    private static final int UNREAD = 300;
    private static final int PIPELINED = 100;
    private static final int LARGE_LISTS = 50;
    private static final String HEALTH = "GET /q/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final int LONGEST_LIST = 100;

    /** In a list, each character of its name takes 12 bytes of JSON. */
    private static final String LONGEST_PET = "{\"name\":\"" + "\ud83d\ude00".repeat(255) + "\",\"categoryId\":1}";

    private static final String PET = "{\"name\":\"Rex\",\"categoryId\":1}";

    /** Extends the body to the maximum size. */
    private static final String BLANKS = " ".repeat(64 * 1024 - PET.length());

    private static final int UNREAD_MAXIMUM_BYTES = 8_000_000;
    private static final List<String> HEAP = List.of("-Xmx307m", "-XX:+ExitOnOutOfMemoryError");

    @AutoClose
    private static Replica replica;

    private static TestKey key;

    @BeforeAll
    static void start() throws Exception {
        replica = Replica.start(
                Map.of(
                        "quarkus.datasource.jdbc.url",
                        TestDatabase.recreate("hostile_connections_it"),
                        "animalstore.admin.token",
                        Operator.TOKEN),
                HEAP);
        key = replica.issue(Operator.UNLIMITED);
        for (int i = 0; i < LONGEST_LIST; i++) {
            replica.post("/v1/pets", key, LONGEST_PET).join();
        }
    }

    /** Each head has the maximum size, and the lines that take the most memory for their size. */
    @Test
    void heads_thatNeverEnd_doNotKeepOthersFromBeingServed() throws Exception {
        String head = "GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n" + "a:\r\n".repeat(1990);
        List<KeptConnection> heads = KeptConnection.open(HEADS, replica.port(), head);
        try {
            assertAllServed("%d unfinished heads of 8 KB".formatted(HEADS));
            long timedOut =
                    heads.stream().filter(HostileConnectionsIT::isTimedOut).count();
            assertTrue(timedOut > 500, timedOut + " were kept for the time that a head has");
            assertEquals(200, replica.status("/q/health/ready"));
        } finally {
            KeptConnection.closeAll(heads);
        }
    }

    /** Otherwise the responses would accumulate in memory. */
    @Test
    void responses_thatTheClientDoesNotRead_stopTheReadingOfItsRequests() throws Exception {
        String requests = "GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1000);
        AtomicLong sent = new AtomicLong();
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            CompletableFuture<Void> sending = CompletableFuture.runAsync(
                    () -> {
                        try {
                            while (sent.get() < UNREAD_MAXIMUM_BYTES) {
                                connection.send(requests);
                                sent.addAndGet(requests.length());
                            }
                        } catch (IOException closed) {
                            // Until the end of the test.
                        }
                    },
                    run -> new Thread(run).start());
            assertAllServed("requests whose responses are not read");
            assertFalse(sending.isDone(), () -> sent + " bytes were received");
        }
    }

    /** Each client sends a hundred requests in one write. The service takes some seconds to fill the memory that it may use. */
    @ParameterizedTest
    @ValueSource(strings = {"/q/openapi", "/q/swagger-ui/swagger-ui-bundle.js", "/v1/pets?limit=100"})
    void responses_toPipelinedRequestsThatNobodyReads_doNotKeepOthersFromBeingServed(String target) throws Exception {
        String authorization = target.startsWith("/q") ? "" : "Authorization: Bearer " + key.text() + "\r\n";
        String requests =
                ("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + authorization + "\r\n").repeat(PIPELINED);
        List<KeptConnection> unread = new ArrayList<>();
        try {
            for (int i = 0; i < UNREAD; i++) {
                unread.add(new KeptConnection(replica.port(), 2304).send(requests));
            }
            assertAllServed("%d x %d unread %s".formatted(UNREAD, PIPELINED, target), Duration.ofSeconds(15));
            for (int i = 0; i < LARGE_LISTS; i++) {
                assertEquals(LONGEST_LIST, longestList().size());
            }
        } finally {
            KeptConnection.closeAll(unread);
        }
    }

    /** Each stream of an HTTP/2 connection could have an unread response, and a client can ignore the limit of streams. */
    @Test
    void connection_thatBeginsWithHttp2_isRefused() throws Exception {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            RawHttp response =
                    connection.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").read();
            assertEquals(400, response.status());
            assertEquals("", connection.readToEnd());
        }
    }

    @Test
    void connections_thatAreIdle_areClosedBeforeThoseInUse() throws Exception {
        List<KeptConnection> uploads = uploads(100, "");
        List<KeptConnection> kept = KeptConnection.open(100, replica.port(), HEALTH);
        List<KeptConnection> silent = new ArrayList<>();
        try {
            for (KeptConnection connection : kept) {
                assertEquals(200, connection.read().status());
            }
            silent.addAll(KeptConnection.open(TOO_MANY, replica.port(), ""));
            assertEquals(200, replica.status("/q/health/live"));
            assertEquals("", silent.get(0).readToEnd());
            for (KeptConnection upload : uploads) {
                assertEquals(201, upload.send(PET).read().status());
            }
            for (KeptConnection connection : kept) {
                assertEquals(200, connection.send(HEALTH).read().status());
            }
        } finally {
            KeptConnection.closeAll(uploads);
            KeptConnection.closeAll(kept);
            KeptConnection.closeAll(silent);
        }
    }

    /** Each head and body takes the maximum memory. A connection without room is closed at once. */
    @Test
    void uploads_inProgress_areNotClosed() throws Exception {
        String manyHeaders = "a:\r\n".repeat(1000);
        List<KeptConnection> uploads = uploads(200, manyHeaders);
        List<KeptConnection> more = new ArrayList<>();
        try {
            while (more.size() < TOO_MANY) {
                KeptConnection connection = new KeptConnection(replica.port());
                more.add(connection);
                begin(connection, upload(manyHeaders) + BLANKS);
            }
            for (KeptConnection upload : uploads) {
                upload.send(PET);
            }
            for (KeptConnection upload : uploads) {
                assertEquals(201, upload.read().status());
            }
        } finally {
            KeptConnection.closeAll(uploads);
            KeptConnection.closeAll(more);
        }
        assertEquals(200, replica.status("/q/health/ready"));
    }

    private static void assertAllServed(String beside) throws IOException {
        assertAllServed(beside, Duration.ofSeconds(5));
    }

    private static void assertAllServed(String beside, Duration time) throws IOException {
        Attempts result = new Load(replica, key).run(time);
        TABLE.add(
                beside,
                result.requests(),
                result.admitted(),
                result.medianMillis(),
                result.p99Millis(),
                result.slowestMillis());
        assertEquals(result.requests(), result.admitted());
    }

    /** The identifiers in the longest list, read without delay over a connection of its own. */
    private static List<Object> longestList() throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            RawHttp list = connection
                    .send("GET /v1/pets?limit=" + LONGEST_LIST
                            + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key.text()
                            + "\r\nConnection: close\r\n\r\n")
                    .read();
            return JsonPath.from(list.body()).getList("id");
        }
    }

    private static void begin(KeptConnection connection, String request) {
        try {
            connection.send(request);
        } catch (IOException closed) {
            // No room for this connection.
        }
    }

    /** Sends requests without the last part of their bodies, {@link #PET}, for which the service waits. */
    private static List<KeptConnection> uploads(int count, String headers) throws IOException {
        List<KeptConnection> uploads = KeptConnection.open(count, replica.port(), upload(headers));
        for (KeptConnection upload : uploads) {
            assertEquals(100, upload.read().status());
            upload.send(BLANKS);
        }
        return uploads;
    }

    private static String upload(String headers) {
        return "POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key.text()
                + "\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n" + headers + "Content-Length: "
                + (BLANKS.length() + PET.length()) + "\r\n\r\n";
    }

    /** Whether the connection was closed by its timeout, rather than to make room for others. */
    private static boolean isTimedOut(KeptConnection head) {
        try {
            return head.readToEnd().startsWith("HTTP/1.1 408 ");
        } catch (IOException reset) {
            return false;
        }
    }
}
