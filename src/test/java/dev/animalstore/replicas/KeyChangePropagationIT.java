package dev.animalstore.replicas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Attempts.Attempt;
import dev.animalstore.load.Load;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An operator's change through one replica takes effect on every replica, from the first request that is sent after the response. */
class KeyChangePropagationIT {
    private static final int KEYS = 100;
    private static final int CHANGES = 180;
    private static final int LIMIT = 1_000_000;

    private final List<Replica> replicas = Replica.pair();

    @ParameterizedTest
    @CsvSource({"0, DELETE, '', ''", "1, POST, /rotation, {\"graceSeconds\":0}"})
    void change_thatEndsASecretOf100KeysThatBothReplicasKnow_letsNoFurtherRequestIn(
            int replica, String method, String operation, String body) throws IOException {
        List<TestKey> keys =
                Stream.generate(() -> TestKey.of("free")).limit(KEYS).toList();
        keys.forEach(key -> assertEquals(List.of(200, 200), statuses(key)));
        List<List<Integer>> after = new ArrayList<>();
        for (TestKey key : keys) {
            HttpResponse<String> response = replicas.get(replica).operate(method, Operator.path(key) + operation, body);
            assertTrue(response.statusCode() < 300, response::body);
            after.add(statuses(key));
        }
        assertEquals(Collections.nCopies(KEYS, List.of(401, 401)), after);
    }

    /** The limit per minute shows how often the key was changed. */
    @Test
    void change_underLoad_letsNoRequestBeDecidedByTheOldLimits() {
        TestKey key = TestKey.of(LIMIT, 10 * LIMIT);
        List<Long> sent = new ArrayList<>();
        List<Long> acknowledged = new ArrayList<>();
        Load load = Load.lists(replicas, key);
        for (int i = 1; i <= CHANGES; i++) {
            String body = "{\"limits\":{\"perMinute\":" + (LIMIT + i) + ",\"perDay\":" + 10 * LIMIT + "}}";
            sent.add(System.nanoTime());
            HttpResponse<String> response = replicas.get(0).operate("PATCH", Operator.path(key), body);
            acknowledged.add(System.nanoTime());
            assertEquals(200, response.statusCode(), response.body());
        }
        Attempts attempts = load.stop();
        assertEquals(attempts.requests(), attempts.admitted(), attempts::toString);
        for (Attempt attempt : attempts.all()) {
            int change = Integer.parseInt(attempt.headers().get("X-RateLimit-Limit")) - LIMIT;
            long atLeast = acknowledged.stream()
                    .filter(time -> time - attempt.begin() < 0)
                    .count();
            long atMost = sent.stream().filter(time -> time - attempt.end() < 0).count();
            assertTrue(
                    change >= atLeast && change <= atMost,
                    () -> "judged by change " + change + " between " + atLeast + " and " + atMost);
        }
    }

    private List<Integer> statuses(TestKey key) {
        return replicas.stream()
                .map(replica -> replica.status("/v1/pets?limit=1", key))
                .toList();
    }
}
