package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A PostgreSQL with older data than Redis: it was restored or created again, or a failover has lost a commit. */
class DatabaseGoneBackIT {
    private static final String QUERIES = "animalstore_keys_queries_total";

    private final Replica first = Replica.pair().get(0);
    private final Replica second = Replica.pair().get(1);

    @Test
    void key_withALostChange_isDecidedByTheDataInPostgresqlOnAllReplicas() throws IOException {
        TestKey key = TestKey.of("free");
        changePlan(key, "pro");
        assertEquals("200, limit 300", get(second, key));
        String known = RedisState.read(key).get("v");
        key.update("version = 1, plan = 'free'");
        double before = first.metric(QUERIES);
        for (int i = 0; i < 5; i++) {
            assertEquals("200, limit 60", get(first, key));
        }
        assertEquals(before + 3, first.metric(QUERIES), "the first look and one pair more");
        assertEquals("200, limit 60", get(second, key));
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
        key.update("version = 1, " + expired);
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
        key.update("version = 1, plan = 'free'");
        second.operate(method, Operator.path(key) + operation, body);
        assertOnBoth(expected, key);
    }

    private void assertOnBoth(String expected, TestKey key) {
        assertEquals(List.of(expected, expected), List.of(get(first, key), get(second, key)));
    }

    private void changePlan(TestKey key, String plan) {
        change(key, "{\"plan\":\"" + plan + "\"}");
    }

    private void change(TestKey key, String body) {
        assertEquals(200, second.operate("PATCH", Operator.path(key), body).statusCode());
    }

    private static String get(Replica replica, TestKey key) {
        HttpResponse<String> response = replica.get("/v1/pets?limit=1", key).join();
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
