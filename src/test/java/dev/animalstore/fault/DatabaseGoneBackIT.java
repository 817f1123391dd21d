package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A PostgreSQL with older data than Redis: it was restored or created again, or a failover has lost a commit. */
class DatabaseGoneBackIT {
    private static final String QUERIES = "animalstore_keys_queries_total";
    private static final int REQUESTS_AT_ONCE = 16;

    private static Replica first;
    private static Replica second;

    @BeforeAll
    static void start() throws IOException {
        Map<String, String> properties = Map.of("animalstore.admin.token", Operator.TOKEN);
        first = Replica.start(properties);
        second = Replica.start(properties);
    }

    @AfterAll
    static void stop() {
        first.close();
        second.close();
    }

    @Test
    void key_withALostChange_isDecidedByTheDataInPostgresqlOnAllReplicas() throws IOException, InterruptedException {
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

    @Test
    void key_withARowThatWasCreatedAgain_isDecidedByThatRow() throws IOException, InterruptedException {
        TestKey key = TestKey.of("free");
        changePlan(key, "pro");
        changePlan(key, "business");
        TestDatabase.execute("create temporary table kept_key as select * from api_key where id = " + key.id()
                + "; create temporary table kept_secret as select * from api_key_secret where key_id = " + key.id()
                + "; update kept_key set version = 1, plan = 'free'"
                + "; delete from api_key_secret where key_id = " + key.id()
                + "; delete from api_key where id = " + key.id()
                + "; insert into api_key overriding system value select * from kept_key"
                + "; insert into api_key_secret overriding system value select * from kept_secret");
        assertEquals("200, limit 60", get(first, key));
        assertEquals("200, limit 60", get(second, key));
        assertEquals(1, warnings(key).size());
        assertNextChangeTakesEffect(key);
    }

    @Test
    void key_withALostExtension_isRefusedUntilItIsExtendedAgain() throws IOException, InterruptedException {
        String expired = "expires_at = now() - interval '1 hour'";
        TestKey key = TestKey.of("free").update(expired);
        change(key, "{\"expiresAt\":null}");
        key.update("version = 1, " + expired);
        double before = first.metric(QUERIES);
        for (int i = 0; i < 5; i++) {
            assertEquals(401, status(first, key));
        }
        assertEquals(before + 3, first.metric(QUERIES), "the first look and one pair more");
        assertEquals(1, warnings(key).size());
        change(key, "{\"expiresAt\":null}");
        assertEquals("200, limit 60", get(first, key));
        assertEquals("200, limit 60", get(second, key));
    }

    /** With one lost change, a version that only counted changes would be the same before the loss and after the next change. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void planChange_beforeTheLossIsNoticed_takesEffectFromTheNextRequest(int lost)
            throws IOException, InterruptedException {
        TestKey key = cachedKeyWithLostChanges(lost);
        changePlan(key, "business");
        assertEquals("200, limit 1000", get(first, key));
        assertEquals("200, limit 1000", get(second, key));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void revocation_beforeTheLossIsNoticed_takesEffectFromTheNextRequest(int lost)
            throws IOException, InterruptedException {
        TestKey key = cachedKeyWithLostChanges(lost);
        assertEquals(204, second.operate("DELETE", Operator.path(key), "").statusCode());
        assertEquals(401, status(first, key));
        assertEquals(401, status(second, key));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void rotation_beforeTheLossIsNoticed_takesEffectFromTheNextRequest(int lost)
            throws IOException, InterruptedException {
        TestKey key = cachedKeyWithLostChanges(lost);
        assertEquals(
                201,
                second.operate("POST", Operator.path(key) + "/rotation", "{\"graceSeconds\":0}")
                        .statusCode());
        assertEquals(401, status(first, key));
        assertEquals(401, status(second, key));
    }

    @Test
    void revocation_byAReplicaThatDiesBeforeTheLossIsNoticed_takesEffectWithinTwoSeconds()
            throws IOException, InterruptedException {
        TestKey key = cachedKeyWithLostChanges(2);
        TestDatabase.execute("begin; update api_key set revoked_at = now(), version = 2 where id = " + key.id()
                + "; insert into unraised_version (key_id, version) values (" + key.id() + ", 2); commit");
        Awaitility.await()
                .atMost(Duration.ofSeconds(2))
                .until(() -> status(first, key) == 401 && status(second, key) == 401);
    }

    @RepeatedTest(10)
    void change_whileAllReplicasNoticeTheLoss_takesEffectFromTheNextRequest() throws IOException, InterruptedException {
        TestKey key = TestKey.of("free");
        changePlan(key, "pro");
        key.update("version = 1, plan = 'free'");
        List<CompletableFuture<HttpResponse<String>>> requests = Stream.generate(() -> List.of(first, second))
                .flatMap(List::stream)
                .limit(REQUESTS_AT_ONCE)
                .map(replica -> replica.get("/v1/pets?limit=1", key))
                .toList();
        changePlan(key, "business");
        assertEquals("200, limit 1000", get(first, key));
        assertEquals("200, limit 1000", get(second, key));
        requests.forEach(request -> assertEquals(200, request.join().statusCode()));
    }

    /** A key that both replicas have cached after some changes, which PostgreSQL has lost. */
    private static TestKey cachedKeyWithLostChanges(int changes) throws IOException, InterruptedException {
        TestKey key = TestKey.of("free");
        for (int i = 0; i < changes; i++) {
            changePlan(key, "pro");
        }
        assertEquals("200, limit 300", get(first, key));
        assertEquals("200, limit 300", get(second, key));
        return key.update("version = 1, plan = 'free'");
    }

    private static void assertNextChangeTakesEffect(TestKey key) throws IOException, InterruptedException {
        changePlan(key, "business");
        assertEquals("200, limit 1000", get(first, key));
        assertEquals("200, limit 1000", get(second, key));
    }

    private static void changePlan(TestKey key, String plan) throws IOException, InterruptedException {
        change(key, "{\"plan\":\"" + plan + "\"}");
    }

    private static void change(TestKey key, String body) throws IOException, InterruptedException {
        assertEquals(200, second.operate("PATCH", Operator.path(key), body).statusCode());
    }

    private static int status(Replica replica, TestKey key) {
        return replica.get("/v1/pets?limit=1", key).join().statusCode();
    }

    private static String get(Replica replica, TestKey key) {
        HttpResponse<String> response = replica.get("/v1/pets?limit=1", key).join();
        String limit = response.headers().firstValue("X-RateLimit-Limit").orElseThrow();
        return response.statusCode() + ", limit " + limit;
    }

    /** The warnings that both replicas have logged about a key. */
    private static List<String> warnings(TestKey key) throws IOException {
        return Stream.concat(first.log().events().stream(), second.log().events().stream())
                .filter(event -> event.path("level").asText().equals("WARN"))
                .map(event -> event.path("message").asText())
                .filter(message -> message.contains("key " + key.id() + " "))
                .toList();
    }
}
