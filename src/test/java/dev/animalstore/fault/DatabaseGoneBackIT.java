package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A PostgreSQL with older data than Redis: it was restored or created again, or a failover has lost a commit. */
class DatabaseGoneBackIT {
    private static final String QUERIES = "animalstore_keys_queries_total";
    private static final String ONE_A_MINUTE =
            "{\"owner\":\"test\",\"plan\":\"enterprise\",\"limits\":{\"perMinute\":1,\"perDay\":1000}}";

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
        assertNextChangeTakesEffect(key);
    }

    /** The number of a key of a restored database was another key's before. */
    @Test
    void key_withTheNumberOfAnEarlierOne_inheritsNeitherItsBanNorItsUsage() {
        TestKey earlier = first.issue(ONE_A_MINUTE);
        for (int i = 0; i < 4; i++) {
            get(first, earlier);
        }
        assertTrue(ban(earlier), "banned");
        TestDatabase.execute("delete from api_key_secret where key_id = " + earlier.id()
                + "; delete from api_key where id = " + earlier.id()
                + "; alter table api_key alter column id restart with " + earlier.id());
        TestKey later = first.issue(ONE_A_MINUTE);

        assertEquals(earlier.id(), later.id());
        assertFalse(ban(later), "banned");
        assertEquals("200, limit 1", get(second, later));
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
            1 | PATCH  | ''        | {"plan":"business"} | 200, limit 1000
            2 | PATCH  | ''        | {"plan":"business"} | 200, limit 1000
            1 | DELETE | ''        | ''                  | 401, limit 10000
            2 | DELETE | ''        | ''                  | 401, limit 10000
            1 | POST   | /rotation | {"graceSeconds":0}  | 401, limit 10000
            2 | POST   | /rotation | {"graceSeconds":0}  | 401, limit 10000
            """)
    void change_beforeTheLossIsNoticed_takesEffectFromTheNextRequest(
            int lost, String method, String operation, String body, String expected) throws Exception {
        TestKey key = TestKey.of("free");
        for (int i = 0; i < lost; i++) {
            changePlan(key, "pro");
        }
        assertOnBoth("200, limit 300", key);
        key.update("version = 1, plan = 'free'");
        second.operate(method, Operator.path(key) + operation, body);
        assertOnBoth(expected, key);
    }

    @RepeatedTest(10)
    void change_whileAllReplicasNoticeTheLoss_takesEffectFromTheNextRequest() {
        TestKey key = TestKey.of("free");
        changePlan(key, "pro");
        key.update("version = 1, plan = 'free'");
        List<CompletableFuture<HttpResponse<String>>> requests = Stream.generate(() -> List.of(first, second))
                .flatMap(List::stream)
                .limit(16)
                .map(replica -> replica.get("/v1/pets?limit=1", key))
                .toList();
        assertNextChangeTakesEffect(key);
        requests.forEach(request -> assertEquals(200, request.join().statusCode()));
    }

    private void assertNextChangeTakesEffect(TestKey key) {
        changePlan(key, "business");
        assertOnBoth("200, limit 1000", key);
    }

    private void assertOnBoth(String expected, TestKey key) {
        assertEquals(List.of(expected, expected), List.of(get(first, key), get(second, key)));
    }

    private boolean ban(TestKey key) {
        return first.operate("GET", Operator.path(key), "").body().contains("\"ban\"");
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
