package dev.animalstore.replicas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Attempts.Attempt;
import dev.animalstore.load.Load;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An operator's change through one replica takes effect on every replica, from the first request that is sent after the response. So it does
 * if PostgreSQL has older data than Redis: it was restored or created again, or a failover has lost a commit.
 */
class KeyChangePropagationIT {
    private static final String QUERIES = "animalstore_keys_queries_total";
    private static final int KEYS = 100;
    private static final int CHANGES = 180;
    private static final int LIMIT = 1_000_000;

    private final List<Replica> replicas = Replica.pair();
    private final Replica first = replicas.get(0);
    private final Replica second = replicas.get(1);

    @ParameterizedTest
    @CsvSource({"0, DELETE, '', ''", "1, POST, /rotation, {\"graceSeconds\":0}", "0, PATCH, '', {\"suspended\":true}"})
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
            HttpResponse<String> response = first.operate("PATCH", Operator.path(key), body);
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

    /** Asks seldom, so that no limit is reached. */
    private void awaitOnBoth(String expected, TestKey key) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30).plus(Replica.ROOM))
                .pollInterval(Duration.ofSeconds(3))
                .untilAsserted(() -> assertOnBoth(expected, key));
    }

    private List<Integer> statuses(TestKey key) {
        return replicas.stream().map(replica -> replica.status(key)).toList();
    }

    @Test
    @Tag("timed")
    void key_withALostChange_isDecidedByTheDataInPostgresqlOnAllReplicas() throws IOException {
        TestKey key = TestKey.of("free");
        changePlan(key, "pro");
        assertEquals("200, limit 300", get(second, key));
        String known = RedisState.read(key).get("v");
        key.restore("version = 1, plan = 'free'");
        double before = first.metric(QUERIES);
        for (int i = 0; i < 5; i++) {
            assertEquals("200, limit 60", get(first, key));
        }
        assertEquals(before + 3, first.metric(QUERIES), "the first look and one pair more");
        awaitOnBoth("200, limit 60", key);
        assertEquals(
                List.of("PostgreSQL has gone back: key " + key.id() + " has version 1 there, but version " + known
                        + " in Redis. The data in PostgreSQL is used"),
                warnings(key));
        changePlan(key, "business");
        assertOnBoth("200, limit 1000", key);
    }

    @Test
    void key_withALostExtension_isRefusedUntilItIsExtendedAgain() throws IOException {
        String expired = "expires_at = now() - interval '1 hour'";
        TestKey key = TestKey.of("free").update(expired);
        change(key, "{\"expiresAt\":null}");
        key.restore("version = 1, " + expired);
        double before = first.metric(QUERIES);
        for (int i = 0; i < 5; i++) {
            assertEquals("401, limit 10000", get(first, key));
        }
        assertEquals(before + 3, first.metric(QUERIES), "the first look and one pair more");
        assertEquals(1, warnings(key).size());
        change(key, "{\"expiresAt\":null}");
        assertOnBoth("200, limit 60", key);
    }

    /** With one lost change, a version that only counted changes would be the same before the loss and after the next change. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PATCH  | ''        | {"plan":"business"} | 200, limit 1000
            DELETE | ''        | ''                  | 401, limit 10000
            POST   | /rotation | {"graceSeconds":0}  | 401, limit 10000
            """)
    void change_beforeTheLossIsNoticed_takesEffectFromTheNextRequest(
            String method, String operation, String body, String expected) throws Exception {
        TestKey key = TestKey.of("free");
        changePlan(key, "pro");
        assertOnBoth("200, limit 300", key);
        key.restore("version = 1, plan = 'free'");
        second.operate(method, Operator.path(key) + operation, body);
        assertOnBoth(expected, key);
    }

    private void assertOnBoth(String expected, TestKey key) {
        assertEquals(
                List.of(expected, expected),
                replicas.stream().map(replica -> get(replica, key)).toList());
    }

    private void changePlan(TestKey key, String plan) {
        change(key, "{\"plan\":\"" + plan + "\"}");
    }

    private void change(TestKey key, String body) {
        assertEquals(200, second.operate("PATCH", Operator.path(key), body).statusCode());
    }

    private static String get(Replica replica, TestKey key) {
        HttpResponse<String> response = replica.list(key).join();
        String limit = response.headers().firstValue("X-RateLimit-Limit").orElseThrow();
        return response.statusCode() + ", limit " + limit;
    }

    /** The warnings that both replicas have logged about a key. */
    private List<String> warnings(TestKey key) throws IOException {
        return Stream.concat(first.events().stream(), second.events().stream())
                .filter(event -> event.path("level").asText().equals("WARN"))
                .map(event -> event.path("message").asText())
                .filter(message -> message.contains("key " + key.id() + " "))
                .toList();
    }
}
