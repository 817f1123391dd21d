package dev.animalstore.hostile;

import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.lessThan;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Fuzz;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.Visitor;
import dev.animalstore.process.Artifact;
import dev.animalstore.process.Replica;
import io.restassured.RestAssured;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The packaged application and 100,000 requests that were made from valid ones by random changes, byte for byte, with and without a key:
 * none gets a 5xx, none hangs, none is admitted without a key, and none leaves anything in memory.
 */
@Tag("long")
class HttpFuzzIT {
    private static final int REQUESTS = 100_000;
    private static final int CLIENTS = 32;
    private static final int WARM_UP = REQUESTS / 5;

    /** Less than forty bytes per request. */
    private static final long MOST_GROWTH = 3_000_000;

    /** Statuses of the gate without a valid key. */
    private static final Set<Integer> BY_THE_GATE = Set.of(400, 401, 429);

    /** Statuses of the HTTP server, where 0 is a closed connection, and of the operators' API without a token. */
    private static final Set<Integer> BY_HTTP = Set.of(0, 400, 401, 414, 431);

    /** Of a histogram of classes: the instances and their bytes. */
    private static final Pattern TOTAL = Pattern.compile("Total +[0-9]+ +([0-9]+)");

    @AutoClose
    private static Replica replica;

    private static TestKey key;
    private static List<String> seeds;

    private final AtomicLong number = new AtomicLong(Fuzz.firstNumber());
    private final Map<Integer, Integer> statuses = new ConcurrentHashMap<>();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void start() throws IOException {
        // The memory of pages is full before the heap is measured.
        replica = Replica.start(Map.of(
                "animalstore.catalogue.cache-size", "100K", "animalstore.failed-authentication.per-minute", "300"));
        key = TestKey.unlimited();
        TestDatabase.addPets(30, "available");
        RestAssured.port = replica.port();
        Visitor visitor = Visitor.signIn();
        String form =
                "plan=enterprise&limits.perMinute=5&limits.perDay=60&expiresAt=2999-01-01T00%3A00&owner=%F0%9F%98%80";
        String host = " HTTP/1.1\r\nHost: localhost\r\n";
        String authorization = "Authorization: Bearer " + key.text() + "\r\n";
        String pet = "{\"name\":\"Rex\",\"categoryId\":7}";
        String json = "Content-Type: application/json\r\nContent-Length: " + pet.length() + "\r\n";
        seeds = List.of(
                "GET /v1/pets?limit=2&status=available&cursor=AAAAAAAAAAARRNhj" + host + authorization + "\r\n",
                "GET /v1/pets" + host + "Accept: application/json;q=0.5\r\n" + authorization + "\r\n",
                "GET /v1/pets/1" + host + authorization + "\r\n",
                "HEAD /v1/store/orders?status=placed" + host + authorization + "\r\n",
                "OPTIONS /v1/pets" + host + "Origin: http://a\r\nAccess-Control-Request-Method: GET\r\n\r\n",
                "POST /v1/pets" + host + authorization + json + "\r\n" + pet,
                "POST /v1/pets" + host + authorization + "Idempotency-Key: a\r\n" + json + "\r\n" + pet,
                "POST /v1/pets" + host + authorization
                        + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1d\r\n" + pet
                        + "\r\n0\r\n\r\n",
                "GET /v1/pets" + host + "\r\n",
                "GET /v1/pets" + host + "Authorization: Bearer ask_test_00000000000000000000000000000000000000\r\n\r\n",
                "POST /console/issue" + host + "Sec-Fetch-Site: same-origin\r\nCookie: console=" + visitor.cookie()
                        + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length()
                        + "\r\n\r\n" + form,
                "POST /admin/keys" + host + "Authorization: Bearer x\r\n" + json + "\r\n" + pet);
    }

    @Test
    void requests_madeFromValidOnes_areRefusedOrServedAndForgotten() throws Exception {
        long first = number.get();
        send(WARM_UP);
        long before = liveHeapBytes();
        send(REQUESTS - WARM_UP);

        String result = "-Dfuzz.seed=%d: statuses %s%n%s".formatted(first, statuses, String.join("\n", faults));
        assertEquals(0, faults.size(), result);
        assertTrue(statuses.keySet().containsAll(List.of(200, 201, 400, 401, 404, 405, 429)), result);
        // Connections on which more was sent after the last response are kept for a while.
        await("growth of the live heap").until(() -> liveHeapBytes() - before, lessThan(MOST_GROWTH));
        assertFalse(replica.log().contains("Defect"), "a defect is in the log");
        assertEquals(200, replica.status("/v1/pets", key));
    }

    /** The heap in use after garbage collection; 0 for a native executable, which does not report it. */
    private static long liveHeapBytes() throws IOException {
        Matcher total = TOTAL.matcher(Artifact.read().isNative() ? "" : replica.jcmd("GC.class_histogram"));
        return total.find() ? Long.parseLong(total.group(1)) : 0;
    }

    private void send(int count) {
        List<CompletableFuture<Void>> clients = IntStream.range(0, CLIENTS)
                .mapToObj(client -> CompletableFuture.runAsync(
                        () -> IntStream.range(0, count / CLIENTS).forEach(i -> send()), run -> new Thread(run).start()))
                .toList();
        clients.forEach(CompletableFuture::join);
    }

    private void send() {
        long mine = number.getAndIncrement();
        String request = Fuzz.text(seeds, mine);
        try {
            RawHttp response = RawHttp.exchange(replica.port(), request.getBytes(StandardCharsets.UTF_8));
            statuses.merge(response.status(), 1, Integer::sum);
            boolean harmless = (request.contains(key.text()) || request.contains("console"))
                    ? response.each().stream().allMatch(each -> each.status() < 500)
                    : response.each().stream().allMatch(HttpFuzzIT::isRefusal);
            if (!harmless) {
                faults.add("-Dfuzz.seed=" + mine + "\n" + request + "\n" + response);
            }
        } catch (IOException e) {
            faults.add("-Dfuzz.seed=" + mine + " " + e + "\n" + request);
        }
    }

    /**
     * Whether a response is possible without a valid key: a refusal by the gate or by the HTTP server, or an unmetered response outside the
     * API, to an unknown path or a preflight.
     */
    private static boolean isRefusal(RawHttp response) {
        boolean metered = !response.header("X-RateLimit-Limit").isEmpty();
        boolean isPreflight = response.status() == 200
                && !response.header("Allow").isEmpty()
                && !response.body().contains("{");
        boolean elsewhere = !metered && (response.status() == 404 || isPreflight);
        return (elsewhere || (metered ? BY_THE_GATE : BY_HTTP).contains(response.status()))
                && !response.header("X-RateLimit-Limit").equals("1000000");
    }
}
