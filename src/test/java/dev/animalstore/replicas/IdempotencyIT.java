package dev.animalstore.replicas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several attempts of one request, on two replicas of the package, add one pet, whatever their outcome. */
class IdempotencyIT {
    private static final int ATTEMPTS = 32;
    private static final String SOCKET_TIMEOUT = "quarkus.datasource.jdbc.additional-jdbc-properties.socketTimeout";

    private final List<Replica> replicas = Replica.pair();
    private final TestKey key = TestKey.unlimited();
    private final String name = "Rex " + UUID.randomUUID();

    @Test
    void attempts_32AtOnceOverTwoReplicas_addExactlyOnePet() {
        List<HttpResponse<String>> responses =
                IntStream.range(0, ATTEMPTS).mapToObj(i -> create(replicas.get(i % 2))).toList().stream()
                        .map(CompletableFuture::join)
                        .toList();

        List<Long> pets = pets();
        assertEquals(1, pets.size());
        assertTrue(
                responses.stream().allMatch(response -> Set.of(201, 409).contains(response.statusCode())),
                responses.stream().map(HttpResponse::statusCode).toList().toString());
        List<HttpResponse<String>> made = responses.stream()
                .filter(response -> response.statusCode() == 201)
                .toList();
        assertEquals(1, made.stream().filter(response -> !isReplay(response)).count());
        assertEquals(1, made.stream().map(HttpResponse::body).distinct().count());
        assertTrue(
                made.get(0).body().startsWith("{\"id\":" + pets.get(0) + ","),
                made.get(0).body());
    }

    /** A lock blocks the insert, the replica is killed, the lock is released, and the request is sent to the other replica. */
    @ParameterizedTest
    @ValueSource(strings = {"pet", "idempotency_key"})
    void replica_killedDuringTheInsert_leavesNothingAndTheRetryAddsOne(String table) throws IOException {
        Replica second = replicas.get(1);
        // PostgreSQL lets an insert wait for three quarters of this time, which is longer than the lock blocks it.
        try (Replica first = Replica.start(Map.of(SOCKET_TIMEOUT, "60"))) {
            TestDatabase.during("lock table " + table + " in share mode", () -> {
                CompletableFuture<HttpResponse<String>> lost = create(first);
                Awaitility.await().until(() -> waitingForALock() == 1);

                first.kill();
                assertThrows(CompletionException.class, lost::join);
                assertEquals(409, create(second).join().statusCode());
            });
        }
        Awaitility.await().until(() -> waitingForALock() == 0);
        assertEquals(List.of(), pets());

        Awaitility.await().until(() -> create(second).join().statusCode() == 201);
        assertEquals(1, pets().size());
        assertTrue(isReplay(create(second).join()));
    }

    private CompletableFuture<HttpResponse<String>> create(Replica replica) {
        String pet = "{\"name\":\"" + name + "\",\"categoryId\":1}";
        return replica.post("/v1/pets", key, pet, "Idempotency-Key", name);
    }

    private List<Long> pets() {
        return TestDatabase.query("select id from pet where name = '" + name + "'");
    }

    private static long waitingForALock() {
        return TestDatabase.number(
                "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like 'with added%'");
    }

    private static boolean isReplay(HttpResponse<String> response) {
        return response.headers().firstValue("Idempotency-Replayed").isPresent();
    }
}
