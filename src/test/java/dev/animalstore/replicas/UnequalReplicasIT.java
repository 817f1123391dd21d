package dev.animalstore.replicas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two replicas, one of which dies, or has a clock that is five minutes fast, share one exact quota. */
class UnequalReplicasIT {
    private static final int LIMIT = 300;
    private static final Duration FAST = Duration.ofMinutes(5);

    /** Long enough for replicas that have just started on a busy machine. */
    private static final Map<String, String> PROPERTIES =
            Map.of("animalstore.admin.token", Operator.TOKEN, "animalstore.redis.timeout", "500ms");

    @AutoClose
    private static Replica replica;

    @BeforeAll
    static void start() throws IOException {
        replica = Replica.start(PROPERTIES);
    }

    /** Each charged request got a response, or was sent to the dead replica and lost its response. */
    @Test
    void replica_killedUnderLoad_leavesACountThatIsExact() throws Exception {
        TestKey key = TestKey.of(LIMIT, 1_000_000);
        Replica other = Replica.start(PROPERTIES);
        List<CompletableFuture<Optional<Integer>>> toOther = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> sending =
                CompletableFuture.runAsync(() -> send(other, key, LIMIT - 50).forEach(toOther::add));
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> count(toOther, 200) >= 20);
        other.kill();
        sending.join();
        toOther.forEach(CompletableFuture::join);
        long lost =
                toOther.stream().filter(response -> response.join().isEmpty()).count();

        List<CompletableFuture<Optional<Integer>>> toThis =
                send(replica, key, LIMIT + 10).toList();
        toThis.forEach(CompletableFuture::join);

        long admitted = count(toOther, 200) + count(toThis, 200);
        assertTrue(lost > 0, "it died under load");
        assertTrue(
                admitted <= LIMIT && admitted + lost >= LIMIT, admitted + " admitted, " + lost + " without a response");
        assertEquals(toThis.size(), count(toThis, 200) + count(toThis, 429));
        assertEquals(Integer.toString(LIMIT), RedisState.read(key).get("mc"));
    }

    /** Debian's package {@code faketime} changes the clock of a process; without it, the test is skipped. */
    @Test
    void replica_withAFastClock_sharesTheQuotaAndTheTimesOfRedis() throws Exception {
        Optional<Path> library = faketime();
        assumeTrue(library.isPresent(), "libfaketime is not installed");
        // The clock by which a JVM waits is unchanged.
        Map<String, String> environment = Map.of(
                "LD_PRELOAD",
                library.orElseThrow().toString(),
                "FAKETIME",
                "+" + FAST.toSeconds() + "s",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0");
        try (Replica fast = Replica.start(PROPERTIES, environment)) {
            assertTrue(clock(fast).isAfter(clock(replica).plus(FAST).minusSeconds(30)), "its clock is fast");
            TestKey key = TestKey.of(LIMIT, 1_000_000);
            List<HttpResponse<String>> responses = IntStream.range(0, 2 * LIMIT)
                    .mapToObj(i -> (i % 2 == 0 ? fast : replica).get("/v1/pets?limit=1", key))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();

            assertEquals(
                    LIMIT,
                    responses.stream()
                            .filter(response -> response.statusCode() == 200)
                            .count());
            assertEquals(
                    LIMIT,
                    responses.stream()
                            .filter(response -> response.statusCode() == 429)
                            .count());
            assertEquals(
                    1,
                    responses.stream().map(UnequalReplicasIT::reset).distinct().count(),
                    "one time of reset");
            long untilReset = reset(responses.get(0)) - Instant.now().getEpochSecond();
            // The time of the reset is rounded up, and the test's time is rounded down.
            assertTrue(untilReset > 0 && untilReset <= 61, "reset in " + untilReset + " s");
        }
    }

    /** Sends as many requests as are taken from the stream, without waiting for the responses. */
    private static Stream<CompletableFuture<Optional<Integer>>> send(Replica to, TestKey key, int count) {
        return Stream.generate(() -> to.get("/v1/pets?limit=1", key)
                        .thenApply(response -> Optional.of(response.statusCode()))
                        .exceptionally(dead -> Optional.empty()))
                .limit(count);
    }

    private static long count(List<CompletableFuture<Optional<Integer>>> responses, int status) {
        return responses.stream()
                .filter(response -> response.getNow(Optional.empty()).equals(Optional.of(status)))
                .count();
    }

    private static long reset(HttpResponse<String> response) {
        return response.headers().firstValueAsLong("X-RateLimit-Reset").orElseThrow();
    }

    /** The time by a replica's clock, which is that of a new key. */
    private static Instant clock(Replica of) throws IOException, InterruptedException {
        String issued = of.operate("POST", "/admin/keys", "{\"owner\":\"clock\",\"plan\":\"free\"}")
                .body();
        return Instant.parse(JsonPath.from(issued).getString("createdAt"));
    }

    private static Optional<Path> faketime() throws IOException {
        try (Stream<Path> files = Files.find(
                Path.of("/usr/lib"), 3, (file, attributes) -> file.endsWith("faketime/libfaketimeMT.so.1"))) {
            return files.findFirst();
        }
    }
}
