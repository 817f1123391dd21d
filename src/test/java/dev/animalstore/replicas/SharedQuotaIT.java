package dev.animalstore.replicas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.Responses;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Two replicas of the package share every quota exactly, even if one of them has a clock that is five minutes fast. */
class SharedQuotaIT {
    private static final int FREE_PER_MINUTE = 60;
    private static final int REQUESTS = 200;
    private static final int LIMIT = 300;
    private static final Duration FAST = Duration.ofMinutes(5);

    private final Replica replica = Replica.shared(Map.of());

    @Test
    void requests_200AtOnceToTwoReplicasWithAFreeKey_admit60AndCountThemDown() {
        List<HttpResponse<String>> responses = sendInTurn(Replica.pair().get(1), TestKey.of("free"), REQUESTS);

        assertEquals(
                IntStream.range(0, FREE_PER_MINUTE).boxed().toList(),
                Responses.of(200, responses).map(Responses::remaining).sorted().toList());
        assertEquals(
                Collections.nCopies(REQUESTS - FREE_PER_MINUTE, 1000 - FREE_PER_MINUTE),
                Responses.of(429, responses).map(SharedQuotaIT::dayRemaining).toList());
    }

    @Test
    void keys_shownTenThousandTimesByTwoReplicas_costNothing() {
        List<TestKey> keys =
                Stream.generate(() -> TestKey.of("free")).limit(170).toList();
        keys.forEach(key -> assertEquals(200, replica.status(key)));
        List<Map<String, String>> counts = keys.stream().map(RedisState::read).toList();

        for (int i = 0; i < 60; i++) {
            Replica shows = Replica.pair().get(i % 2);
            List<CompletableFuture<HttpResponse<String>>> shown =
                    keys.stream().map(key -> shows.get("/v1/key", key)).toList();
            shown.forEach(one ->
                    assertTrue(one.join().body().contains("\"limit\":1000,\"remaining\":999"), one.join()::body));
        }

        assertEquals(counts, keys.stream().map(RedisState::read).toList());
    }

    @Test
    void replica_withAFastClock_sharesTheQuotaAndTheTimesOfRedis() throws Exception {
        try (Replica fast = startFast()) {
            assertTrue(clock(fast).isAfter(clock(replica).plus(FAST).minusSeconds(120)), "its clock is fast");
            TestKey key = TestKey.of(LIMIT, 1_000_000);
            List<HttpResponse<String>> responses = sendInTurn(fast, key, 2 * LIMIT);

            assertEquals(LIMIT, Responses.of(200, responses).count());
            assertEquals(LIMIT, Responses.of(429, responses).count());
            assertEquals(
                    1, responses.stream().map(SharedQuotaIT::reset).distinct().count(), "one time of reset");
            long untilReset = reset(responses.get(0)) - Instant.now().getEpochSecond();
            // The time of the reset is rounded up, and the test's time is rounded down.
            assertTrue(untilReset > 0 && untilReset <= 61, "reset in " + untilReset + " s");
        }
    }

    @Test
    void key_whileTheClockOfItsReplicaIsSet_isValidByTheClockOfRedis() throws Exception {
        Path time = Files.writeString(Path.of("target", "faketime-of-keys").toAbsolutePath(), "+0s");
        TestKey valid = TestKey.unlimited().update("expires_at = now() + interval '1 hour'");
        TestKey rotated =
                TestKey.unlimited().updateSecret("rotated_at = now(), expires_at = now() + interval '1 hour'");
        TestKey expired = TestKey.unlimited().update("expires_at = now() - interval '1 hour'");
        try (Replica moved = Replica.start(faked("FAKETIME_TIMESTAMP_FILE", time.toString()))) {
            for (String offset : List.of("+0s", "+1d", "-1d")) {
                Files.writeString(time, offset);
                assertEquals(
                        Set.of(List.of(200, 200, 401)),
                        Stream.generate(() -> Stream.of(valid, rotated, expired)
                                        .map(moved::status)
                                        .toList())
                                .limit(100)
                                .collect(Collectors.toSet()),
                        offset);
            }
        }
    }

    private static Replica startFast() throws IOException {
        return Replica.start(faked("FAKETIME", "+" + FAST.toSeconds() + "s"));
    }

    /**
     * The environment of a process with another clock, except that by which a JVM waits. Needs Debian's package {@code faketime}; without it
     * the test is skipped.
     */
    static Map<String, String> faked(String variable, String time) throws IOException {
        Optional<Path> library;
        try (Stream<Path> files = Files.find(
                Path.of("/usr/lib"), 3, (file, attributes) -> file.endsWith("faketime/libfaketimeMT.so.1"))) {
            library = files.findFirst();
        }
        assumeTrue(library.isPresent(), "libfaketime is not installed");
        return Map.ofEntries(
                Map.entry("LD_PRELOAD", library.orElseThrow().toString()),
                Map.entry(variable, time),
                Map.entry("FAKETIME_NO_CACHE", "1"),
                Map.entry("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
                Map.entry("FAKETIME_FORCE_MONOTONIC_FIX", "0"));
    }

    /** Sends requests at once, alternately to another replica and this one. */
    private List<HttpResponse<String>> sendInTurn(Replica other, TestKey key, int count) {
        return Responses.atOnce(count, i -> (i % 2 == 0 ? other : replica).list(key));
    }

    private static int dayRemaining(HttpResponse<String> response) {
        String state = response.headers().firstValue("RateLimit").orElseThrow();
        return Integer.parseInt(state.replaceFirst(".*\"day\";r=([0-9]+).*", "$1"));
    }

    private static long reset(HttpResponse<String> response) {
        return response.headers().firstValueAsLong("X-RateLimit-Reset").orElseThrow();
    }

    /** The time by a replica's own clock. */
    private static Instant clock(Replica of) {
        String date = of.operate("GET", "/admin/keys", "")
                .headers()
                .firstValue("Date")
                .orElseThrow();
        return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date));
    }
}
