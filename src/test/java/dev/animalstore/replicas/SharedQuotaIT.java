package dev.animalstore.replicas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two replicas of the package, as in production, share every quota exactly. */
class SharedQuotaIT {
    private static final int REQUESTS = 200;
    private static final int FREE_PER_MINUTE = 60;

    private static List<Replica> replicas;

    @BeforeAll
    static void start() throws IOException {
        // Long enough for replicas that have just started on a busy machine.
        Map<String, String> timeout = Map.of("animalstore.redis.timeout", "500ms");
        replicas = List.of(Replica.start(timeout), Replica.start(timeout));
    }

    @AfterAll
    static void stop() {
        replicas.forEach(Replica::close);
    }

    @Test
    void requests_200AtOnceToTwoReplicasWithAFreeKey_admit60AndCountThemDown() {
        TestKey key = TestKey.of("free");
        List<HttpResponse<String>> responses = sendAtOnce(key, REQUESTS);

        List<Integer> remaining = responses.stream()
                .filter(response -> response.statusCode() == 200)
                .map(SharedQuotaIT::remaining)
                .sorted()
                .toList();
        assertEquals(IntStream.range(0, FREE_PER_MINUTE).boxed().toList(), remaining);
        List<Integer> daysOfRefusals = responses.stream()
                .filter(response -> response.statusCode() == 429)
                .map(SharedQuotaIT::dayRemaining)
                .toList();
        assertEquals(Collections.nCopies(REQUESTS - FREE_PER_MINUTE, 1000 - FREE_PER_MINUTE), daysOfRefusals);
    }

    @Test
    void requests_afterTheMinuteHasPassed_areAdmittedAgainByBothReplicas() {
        TestKey key = TestKey.of("free");
        sendAtOnce(key, FREE_PER_MINUTE + 1);
        RedisState.age(key, 60_000);

        HttpResponse<String> first = replicas.get(0).get("/v1/pets", key).join();
        assertEquals(200, first.statusCode());
        assertEquals(FREE_PER_MINUTE - 1, remaining(first));
        HttpResponse<String> second = replicas.get(1).get("/v1/pets", key).join();
        assertEquals(FREE_PER_MINUTE - 2, remaining(second));
    }

    private static List<HttpResponse<String>> sendAtOnce(TestKey key, int count) {
        List<CompletableFuture<HttpResponse<String>>> requests = IntStream.range(0, count)
                .mapToObj(i -> replicas.get(i % replicas.size()).get("/v1/pets?limit=1", key))
                .toList();
        return requests.stream().map(CompletableFuture::join).toList();
    }

    private static int remaining(HttpResponse<String> response) {
        return Integer.parseInt(
                response.headers().firstValue("X-RateLimit-Remaining").orElseThrow());
    }

    private static int dayRemaining(HttpResponse<String> response) {
        String state = response.headers().firstValue("RateLimit").orElseThrow();
        return Integer.parseInt(state.replaceFirst(".*\"day\";r=([0-9]+).*", "$1"));
    }
}
