package dev.animalstore.replicas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An operator's change through one replica takes effect on every replica, from the first request that is sent after the response. */
class KeyChangePropagationIT {
    private static final int KEYS = 100;
    private static final int CHANGES = 60;
    private static final int SENDERS = 4;

    private static List<Replica> replicas;

    @BeforeAll
    static void start() throws IOException {
        // A busy machine must not be mistaken for a failing Redis.
        Map<String, String> properties =
                Map.of("animalstore.admin.token", Operator.TOKEN, "animalstore.redis.timeout", "2s");
        replicas = List.of(Replica.start(properties), Replica.start(properties));
    }

    @AfterAll
    static void stop() {
        replicas.forEach(Replica::close);
    }

    @Test
    void revocation_of100KeysThatBothReplicasKnow_letsNoFurtherRequestIn() throws IOException, InterruptedException {
        List<TestKey> keys = knownKeys();
        List<Integer> after = new ArrayList<>();
        for (TestKey key : keys) {
            assertEquals(
                    204,
                    replicas.get(0).operate("DELETE", Operator.path(key), "").statusCode());
            after.addAll(statuses(key));
        }
        assertEquals(refusals(), after);
    }

    @Test
    void rotation_withoutGraceOf100KeysThatBothReplicasKnow_letsNoOldSecretIn()
            throws IOException, InterruptedException {
        List<TestKey> keys = knownKeys();
        List<Integer> after = new ArrayList<>();
        for (TestKey key : keys) {
            assertEquals(
                    201,
                    replicas.get(1)
                            .operate("POST", Operator.path(key) + "/rotation", "{\"graceSeconds\":0}")
                            .statusCode());
            after.addAll(statuses(key));
        }
        assertEquals(refusals(), after);
    }

    @Test
    void expiry_changedThroughOneReplica_takesEffectOnTheOtherToo() throws IOException, InterruptedException {
        TestKey key = TestKey.of("free").update("expires_at = now()");
        assertEquals(List.of(401, 401), statuses(key));
        replicas.get(0).operate("PATCH", Operator.path(key), "{\"expiresAt\":null}");
        assertEquals(List.of(200, 200), statuses(key));
    }

    @Test
    void change_underLoad_letsNoRequestBeDecidedByTheOldLimits() throws IOException, InterruptedException {
        List<ChangingKey> keys = List.of(new ChangingKey(), new ChangingKey(), new ChangingKey());
        var senders = Executors.newFixedThreadPool(SENDERS);
        List<CompletableFuture<List<String>>> loads = IntStream.range(0, SENDERS)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> sendUntilAllAreChanged(keys, replicas.get(i % replicas.size())), senders))
                .toList();
        for (int i = 1; i <= CHANGES; i++) {
            for (ChangingKey key : keys) {
                key.change(i);
            }
        }
        loads.forEach(load -> assertEquals(List.of(), load.join()));
        senders.shutdown();
    }

    /** The faults in the responses. */
    private static List<String> sendUntilAllAreChanged(List<ChangingKey> keys, Replica replica) {
        List<String> faults = new ArrayList<>();
        while (keys.stream().anyMatch(key -> key.acknowledged < CHANGES)) {
            for (ChangingKey key : keys) {
                int atLeast = key.acknowledged;
                HttpResponse<String> response =
                        replica.get("/v1/pets?limit=1", key.key).join();
                int atMost = key.sent;
                int judgedBy = ChangingKey.changeIn(response);
                if (judgedBy < atLeast || judgedBy > atMost) {
                    faults.add("judged by change " + judgedBy + " between " + atLeast + " and " + atMost);
                }
            }
        }
        return faults;
    }

    private static List<TestKey> knownKeys() {
        List<TestKey> keys =
                IntStream.range(0, KEYS).mapToObj(i -> TestKey.of("free")).toList();
        keys.forEach(key -> assertEquals(List.of(200, 200), statuses(key)));
        return keys;
    }

    private static List<Integer> statuses(TestKey key) {
        return replicas.stream()
                .map(replica -> replica.get("/v1/pets?limit=1", key).join().statusCode())
                .toList();
    }

    private static List<Integer> refusals() {
        return IntStream.range(0, KEYS * replicas.size()).mapToObj(i -> 401).toList();
    }

    /** A key whose limit per minute shows how often it was changed. */
    private static final class ChangingKey {
        private static final int LIMIT = 1_000_000;

        private final TestKey key = TestKey.of(LIMIT, LIMIT * 10);
        private volatile int sent;
        private volatile int acknowledged;

        void change(int number) throws IOException, InterruptedException {
            sent = number;
            String body =
                    "{\"plan\":\"enterprise\",\"limits\":{\"perMinute\":" + (LIMIT + number) + ",\"perDay\":10000000}}";
            assertEquals(
                    200,
                    replicas.get(0).operate("PATCH", Operator.path(key), body).statusCode());
            acknowledged = number;
        }

        static int changeIn(HttpResponse<String> response) {
            String policy = response.headers().firstValue("RateLimit-Policy").orElseThrow();
            return Integer.parseInt(policy.replaceFirst("\"minute\";q=([0-9]+);.*", "$1")) - LIMIT;
        }
    }
}
