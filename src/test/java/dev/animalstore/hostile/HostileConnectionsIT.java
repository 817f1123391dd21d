package dev.animalstore.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.Responses;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that are meant to exhaust memory or threads, on a replica with the heap size of the manifests. */
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HostileConnectionsIT {
    /** Of the 1,024 connections that a replica keeps, {@link #LATER}, eight of other clients and a few that are just closed are left. */
    private static final int HEADS = 980;

    private static final int LATER = 20;
    private static final int SLOW = 200;
    private static final int UPLOADS = 200;
    private static final int TOO_MANY = 1100;
    private static final Duration IDLE_TIME = Duration.ofSeconds(15);

    private static final Duration BODY_TIME = Duration.ofSeconds(10);

    private static final int UNREAD = 300;
    private static final int PIPELINED = 100;
    private static final String DOCUMENT = "GET /q/openapi HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final int LONGEST_LIST = 100;

    /** In a list, each character of its name takes 12 bytes of JSON. */
    private static final String LONGEST_PET = "{\"name\":\"" + "\ud83d\ude00".repeat(255) + "\",\"categoryId\":1}";

    /** Extends the body to the maximum size. */
    private static final String BLANKS = " ".repeat(64 * 1024 - Replica.PET.length());

    private static final String[] HEAP = {"-Xmx307m", "-XX:+ExitOnOutOfMemoryError"};

    @AutoClose
    private static Replica replica;

    private static TestKey key;

    private final List<KeptConnection> opened = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        String database = TestDatabase.recreate("hostile_connections_it");
        String idleTime = IDLE_TIME.toSeconds() + "s";
        replica = Replica.start(
                Map.of("quarkus.datasource.jdbc.url", database, "quarkus.http.idle-timeout", idleTime), HEAP);
        key = replica.issue(Operator.UNLIMITED);
        for (int i = 0; i < LONGEST_LIST; i++) {
            replica.post("/v1/pets", key, LONGEST_PET).join();
        }
    }

    /** Each head has the maximum size, and the lines that take the most memory. First, while no other test's connections end. */
    @Test
    @Order(1)
    void heads_thatNeverEnd_doNotKeepOthersFromBeingServedAndAreClosed() throws Exception {
        open(HEADS, head("GET", "", 1500));
        for (KeptConnection later : open(LATER, DOCUMENT)) {
            assertEquals(200, later.read().status());
            later.send("GET /v1/pets HTTP/1.1\r\n");
        }
        assertAllServed(Duration.ofSeconds(5));
        for (KeptConnection unfinished : opened) {
            assertEquals("", unfinished.readToEnd());
        }
        assertEquals(200, replica.status("/q/health/ready"));
    }

    /** Heads and bodies of a byte per second. A body would otherwise block a thread until it times out. */
    @Test
    void clients_besideSlowOnes_areServedWithoutDelay() throws Exception {
        String key = "Authorization: Bearer " + HostileConnectionsIT.key.text() + "\r\n";
        List<KeptConnection> bodies = open(
                SLOW, head("POST", key + "Content-Type: application/json\r\nContent-Length: 1000\r\n", 0) + "\r\n{");
        open(SLOW, head("GET", key + "X-Slow: ", 0));
        for (int second = 0; second < BODY_TIME.toSeconds() / 2; second++) {
            Attempts beside = assertAllServed(Duration.ofSeconds(1));
            assertTrue(beside.slowestMillis() < BODY_TIME.toMillis() / 2.0, beside::toString);
            opened.forEach(connection -> sendIfOpen(connection, "a"));
        }
        for (KeptConnection body : bodies) {
            RawHttp response = body.read();
            assertEquals(408, response.status());
            assertEquals("close", response.header("Connection"));
            assertEquals("", body.readToEnd());
        }
    }

    /** Nothing is read behind a response that the client does not read, so what it sends is blocked until the connection ends. */
    @Test
    void responses_thatTheClientDoesNotRead_endTheConnection() throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port(), 2304)) {
            assertFalse(sendIfOpen(connection, DOCUMENT.repeat(500_000)));
        }
    }

    /** Each client sends a hundred requests in one write. The service takes some seconds to fill the memory that it may use. */
    @ParameterizedTest
    @ValueSource(strings = {"/q/openapi /q/swagger-ui/swagger-ui-bundle.js", "/v1/pets?limit=100"})
    void responses_toPipelinedRequestsThatNobodyReads_doNotKeepOthersFromBeingServed(String targets) throws Exception {
        String headers = " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key.text() + "\r\n\r\n";
        for (String target : targets.split(" ", -1)) {
            for (int i = 0; i < UNREAD; i++) {
                opened.add(new KeptConnection(replica.port(), 2304));
                opened.get(opened.size() - 1).send(("GET " + target + headers).repeat(PIPELINED));
            }
        }
        assertAllServed(Duration.ofSeconds(10));
        for (int i = 0; i < 50; i++) {
            assertEquals(LONGEST_LIST, longestList().size());
        }
    }

    /** Unfinished requests hold more connections than are kept. They would otherwise shut every other client out. */
    @Test
    void connection_thatHasWaitedLongestForARequest_givesWayToANewOne() throws Exception {
        open(TOO_MANY, head("GET", "", 0));
        assertAllServed(Duration.ofSeconds(2));
        KeptConnection first = opened.get(0);
        first.awaitUpTo(IDLE_TIME.dividedBy(2));
        assertEquals("", first.readToEnd());
        KeptConnection latest = opened.get(TOO_MANY - 1);
        assertEquals(401, latest.send("\r\n").read().status());
    }

    /** Its request arrives as the further connection is accepted. */
    @Test
    void request_onTheConnectionThatGivesWay_isAnsweredOrNotCharged() throws Exception {
        try (Replica small = Replica.start(Map.of("animalstore.http.max-connections", "4"))) {
            TestKey key = small.issue(Operator.UNLIMITED);
            String list = head("GET", "Authorization: Bearer " + key.text() + "\r\n", 0) + "\r\n";
            int answered = 0;
            for (int i = 0; i < 2000; i++) {
                List<KeptConnection> open = KeptConnection.open(4, small.port(), "");
                try {
                    sendIfOpen(open.get(0), list);
                    open.add(new KeptConnection(small.port()));
                    answered += isAnswered(open.get(0)) ? 1 : 0;
                } finally {
                    KeptConnection.closeAll(open);
                }
            }
            int left = Responses.remaining(small.get("/v1/pets", key).join());
            assertEquals(answered, 1_000_000 - 1 - left);
        }
    }

    /** Each head and body takes the maximum memory. */
    @Test
    void uploads_thatAreTooMany_giveWayToTheLatest() throws Exception {
        for (int i = 0; i < TOO_MANY + UPLOADS; i++) {
            sendIfOpen(open(1, upload()).get(0), BLANKS);
        }
        for (KeptConnection latest : opened.subList(TOO_MANY, opened.size())) {
            assertEquals(100, latest.read().status());
            assertEquals(201, latest.send(Replica.PET).read().status());
        }
        assertEquals(200, replica.status("/q/health/ready"));
    }

    @AfterEach
    void closeAll() throws IOException {
        KeptConnection.closeAll(opened);
    }

    private List<KeptConnection> open(int count, String begin) throws IOException {
        List<KeptConnection> connections = KeptConnection.open(count, replica.port(), begin);
        opened.addAll(connections);
        return connections;
    }

    private static Attempts assertAllServed(Duration time) {
        Attempts attempts = Load.lists(List.of(replica), key).stopAfter(time);
        assertEquals(attempts.requests(), attempts.admitted(), attempts::toString);
        return attempts;
    }

    /** The identifiers in the longest list, read without delay over a connection of its own. */
    private static List<Object> longestList() throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            RawHttp list = connection
                    .send(RawHttp.head("GET /v1/pets?limit=" + LONGEST_LIST, key.text(), "Connection: close"))
                    .read();
            return JsonPath.from(list.body()).getList("id");
        }
    }

    /** Sends bytes, and returns whether the service had not closed the connection. */
    private static boolean sendIfOpen(KeptConnection connection, String bytes) {
        try {
            connection.send(bytes);
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    private static boolean isAnswered(KeptConnection connection) {
        try {
            return connection.read().status() == 200;
        } catch (IOException closed) {
            return false;
        }
    }

    /** A head of the maximum size, whose body has the maximum size too, and ends with {@link Replica#PET}. */
    private static String upload() {
        String headers = "Authorization: Bearer " + key.text()
                + "\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: "
                + (BLANKS.length() + Replica.PET.length()) + "\r\n";
        return head("POST", headers, 1400) + "\r\n";
    }

    private static String head(String method, String headers, int moreLines) {
        return method + " /v1/pets HTTP/1.1\r\nHost: localhost\r\n" + headers + "a:\r\n".repeat(moreLines);
    }
}
