package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.Responses;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A replica that stops in the middle of its transactions, as on a machine that hangs or is cut off, while its connections stay open. */
class FrozenReplicaIT {
    private static final int CLIENTS = 16;

    /** The promise of the service: no other replica is kept waiting for longer. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    @AutoClose("kill")
    private static Replica frozen;

    @AutoClose("kill")
    private static Replica other;

    private final ExecutorService clients = Executors.newCachedThreadPool();
    private final TestKey writer = TestKey.unlimited();
    private final Map<String, Integer> additions = new ConcurrentHashMap<>();
    private volatile boolean working = true;

    @BeforeAll
    static void start() throws IOException {
        frozen = Replica.startWithTimeouts(Map.of());
        other = Replica.startWithTimeouts(Map.of());
    }

    @Test
    @Tag("timed")
    void locksOfAFrozenReplica_delayOthersByFiveSecondsAtMost() throws Exception {
        List<TestKey> keys = Stream.generate(TestKey::unlimited).limit(CLIENTS).toList();
        for (TestKey key : keys) {
            repeat(() -> frozen.operate("PATCH", Operator.path(key), "{\"owner\":\"frozen\"}"));
            // Each twice, since only a repeated addition takes more than one statement.
            repeat(() ->
                    add(frozen, "pet-" + key.id() + "-" + additions.merge("pet-" + key.id(), 1, Integer::sum) / 2));
        }
        freezeInTransactions();
        long begun = System.nanoTime();
        working = false;

        List<CompletableFuture<Void>> repeated = new ArrayList<>();
        keys.forEach(key -> repeated.add(until(204, () -> other.operate("DELETE", Operator.path(key), ""))));
        additions.forEach((pet, last) -> repeated.add(until(201, () -> add(other, pet + "-" + last / 2))));
        repeated.forEach(CompletableFuture::join);
        Duration waited = Duration.ofNanos(System.nanoTime() - begun);
        assertTrue(waited.compareTo(LONGEST.plus(Replica.ROOM)) <= 0, waited::toString);

        frozen.signal("CONT");
        Awaitility.await().until(() -> add(frozen, "thawed").statusCode() == 201);
        for (TestKey key : keys) {
            assertEquals(401, frozen.status("/v1/pets", key));
        }
        clients.shutdown();
        assertTrue(clients.awaitTermination(2, TimeUnit.MINUTES), "every request has got a response");
    }

    /** Redis has lost one revocation, and was never told of the other one. The requests wait in the sockets of the replica. */
    @Test
    @Tag("long")
    void keysRevokedWhileAReplicaIsFrozen_areRefusedByItsFirstResponses() throws IOException {
        TestKey lost = TestKey.unlimited();
        TestKey bySql = TestKey.unlimited();
        TestKey valid = TestKey.unlimited();
        List.of(lost, bySql, valid).forEach(key -> assertEquals(200, frozen.status(key)));
        frozen.signal("STOP");
        assertEquals(204, other.operate("DELETE", Operator.path(lost), "").statusCode());
        RedisState.forget(lost);
        bySql.update("revoked_at = now()");
        Awaitility.await().pollDelay(Duration.ofSeconds(36)).until(() -> true);
        List<HttpResponse<String>> ofRevoked = Collections.synchronizedList(new ArrayList<>());
        List<HttpResponse<String>> ofValid = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<?>> waiting = Stream.generate(() -> Stream.of(
                        frozen.list(lost).thenAccept(ofRevoked::add),
                        frozen.list(bySql).thenAccept(ofRevoked::add),
                        frozen.list(valid).thenAccept(ofValid::add)))
                .limit(30)
                .flatMap(each -> each)
                .collect(Collectors.toList());
        frozen.signal("CONT");
        waiting.forEach(CompletableFuture::join);
        assertEquals(60, Responses.of(401, ofRevoked).count());
        assertEquals(30, Responses.of(200, ofValid).count());
    }

    /** Freezes the replica at random moments, until it has locked a key and reserved an idempotency key. */
    private static void freezeInTransactions() {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(100))
                .atMost(Duration.ofMinutes(5))
                .until(() -> {
                    frozen.signal("STOP");
                    boolean within = isIdleInTransaction("api_key") && isIdleInTransaction("advisory");
                    if (!within) {
                        frozen.signal("CONT");
                    }
                    return within;
                });
    }

    /** Whether a transaction has begun and neither ended nor continued, whose last query contains a text. */
    private static boolean isIdleInTransaction(String query) {
        return !TestDatabase.query("select pid from pg_stat_activity where state = 'idle in transaction'"
                        + " and application_name = 'PostgreSQL JDBC Driver' and query like '%" + query + "%'")
                .isEmpty();
    }

    /** Sends requests one after the other. Those of a frozen replica get no response until it goes on. */
    private void repeat(Callable<HttpResponse<String>> request) {
        var unused = clients.submit(() -> {
            while (working) {
                request.call();
            }
            return null;
        });
    }

    private CompletableFuture<Void> until(int status, Callable<HttpResponse<String>> request) {
        return CompletableFuture.runAsync(
                () -> Awaitility.await().until(() -> request.call().statusCode() == status), clients);
    }

    private HttpResponse<String> add(Replica replica, String idempotencyKey) {
        return replica.post("/v1/pets", writer, Replica.PET, "Idempotency-Key", idempotencyKey)
                .join();
    }
}
