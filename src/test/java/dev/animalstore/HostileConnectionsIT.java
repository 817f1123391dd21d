package dev.animalstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Connections that are made to take memory, without a key, on a replica with the heap that the manifests leave to a JVM. */
class HostileConnectionsIT {
    private static final FigureTable TABLE =
            new FigureTable("hostile-connections.md", "beside", "requests", "200", "median ms", "p99 ms", "slowest ms");
    private static final int HEADS = 2000;
    private static final int UNREAD_MAXIMUM_BYTES = 8_000_000;
    private static final Map<String, String> HEAP = Map.of("JAVA_TOOL_OPTIONS", "-Xmx307m -XX:+ExitOnOutOfMemoryError");

    @AutoClose
    private static Replica replica;

    private static TestKey key;

    @BeforeAll
    static void start() throws IOException {
        replica = Replica.start(Map.of(), HEAP);
        key = TestKey.unlimited();
    }

    /** Each head is as large as may be, and of the lines that take the most memory for their size. */
    @Test
    void heads_thatNeverEnd_leaveTheServiceToClientsThatSendWholeOnes() throws Exception {
        String head = "GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n" + "a:\r\n".repeat(1990);
        List<Socket> heads = new ArrayList<>();
        try {
            for (int i = 0; i < HEADS; i++) {
                heads.add(open(head));
            }
            assertAllServed("%d unfinished heads of 8 KB".formatted(HEADS));
            long timedOut =
                    heads.stream().filter(HostileConnectionsIT::isTimedOut).count();
            assertTrue(timedOut > 500, timedOut + " were kept for the time that a head has");
            assertEquals(200, replica.status("/q/health/ready"));
        } finally {
            for (Socket socket : heads) {
                socket.close();
            }
        }
    }

    /** The responses would pile up in memory. */
    @Test
    void responses_thatTheClientDoesNotRead_endTheReadingOfItsRequests() throws Exception {
        byte[] requests =
                "GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1000).getBytes(StandardCharsets.US_ASCII);
        AtomicLong sent = new AtomicLong();
        try (Socket socket = open("")) {
            CompletableFuture<Void> sending = CompletableFuture.runAsync(
                    () -> {
                        try {
                            while (sent.get() < UNREAD_MAXIMUM_BYTES) {
                                socket.getOutputStream().write(requests);
                                sent.addAndGet(requests.length);
                            }
                        } catch (IOException closed) {
                            // By the end of the test.
                        }
                    },
                    run -> new Thread(run).start());
            assertAllServed("requests whose responses are not read");
            assertFalse(sending.isDone(), () -> sent + " bytes were received");
        }
    }

    private static void assertAllServed(String beside) throws IOException {
        Load.Result result = new Load(replica, key).run(Duration.ofSeconds(5));
        TABLE.add(
                beside,
                result.requests(),
                result.admitted(),
                result.medianMillis(),
                result.p99Millis(),
                result.slowestMillis());
        assertEquals(result.requests(), result.admitted());
    }

    private static Socket open(String begin) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), replica.port());
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Whether the connection was closed because of its time, rather than to make room for others. */
    private static boolean isTimedOut(Socket head) {
        try {
            return RawHttp.readAll(head.getInputStream()).startsWith("HTTP/1.1 408 ");
        } catch (IOException reset) {
            return false;
        }
    }
}
