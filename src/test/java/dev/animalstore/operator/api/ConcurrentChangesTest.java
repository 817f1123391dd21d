package dev.animalstore.operator.api;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Operators change one key at the same time: every change with a successful response takes effect. */
@QuarkusTest
class ConcurrentChangesTest {
    private static final int TIMES = 10;

    /** When the transactions began that wait for a key. */
    private static final String WAITING =
            "select xact_start from pg_stat_activity where wait_event_type = 'Lock' and query like '%api_key%'";

    @AutoClose("shutdownNow")
    private final ExecutorService operators = Executors.newFixedThreadPool(8);

    private final TestKey key = TestKey.of("free");

    /** Each response shows the current quota, even if a later change has been made meanwhile. */
    @RepeatedTest(TIMES)
    void changes_ofDifferentMembers_allHoldAndOfOneMemberOneHoldsEverywhere() {
        atOnce(Stream.of(
                                "{\"plan\":\"pro\"}",
                                "{\"plan\":\"business\"}",
                                "{\"plan\":\"enterprise\",\"limits\":{\"perMinute\":7,\"perDay\":70}}",
                                "{\"owner\":\"new\"}",
                                "{\"expiresAt\":\"2090-01-01T00:00:00Z\"}")
                        .map(body -> () -> Operator.change(key, body)))
                .forEach(response -> {
                    Instant reset =
                            Instant.parse(response.statusCode(200).extract().path("usage.minute.resetsAt"));
                    assertTrue(reset.isAfter(Instant.now()), "resets at " + reset);
                });
        int limit = Operator.show(key)
                .body("owner", equalTo("new"))
                .body("expiresAt", equalTo("2090-01-01T00:00:00Z"))
                .extract()
                .path("limits.perMinute");
        assertTrue(List.of(300, 1000, 7).contains(limit), "limit " + limit);
        key.list().statusCode(200).header("X-RateLimit-Limit", Integer.toString(limit));
    }

    @RepeatedTest(TIMES)
    void revocation_andAChange_leaveTheKeyRevoked() {
        List<Integer> statuses = atOnce(Stream.of(
                        () -> Operator.revoke(key),
                        () -> Operator.change(key, "{\"expiresAt\":null,\"plan\":\"pro\"}")))
                .map(response -> response.extract().statusCode())
                .toList();
        assertEquals(204, statuses.get(0));
        assertTrue(List.of(200, 409).contains(statuses.get(1)), "changed with " + statuses.get(1));
        Operator.show(key).body("revokedAt", notNullValue());
        key.list().statusCode(401);
    }

    /** Others that change the key before it take longer than a statement may. */
    @Test
    void change_thatHasWaitedForTooLong_isTriedOnceMore() {
        CompletableFuture<ValidatableResponse> change = new CompletableFuture<>();
        Set<String> attempts = new HashSet<>();
        TestDatabase.during("select 1 from api_key where id = " + key.id() + " for update", () -> {
            operators.execute(() -> change.complete(Operator.change(key, "{\"plan\":\"pro\"}")));
            Awaitility.await().until(() -> {
                TestDatabase.column(WAITING).forEach(attempts::add);
                return change.isDone() || attempts.size() == 2;
            });
        });
        change.join().statusCode(200);
        key.list().statusCode(200).header("X-RateLimit-Limit", "300");
    }

    private Stream<ValidatableResponse> atOnce(Stream<Supplier<ValidatableResponse>> requests) {
        List<CompletableFuture<ValidatableResponse>> responses = requests.map(
                        request -> CompletableFuture.supplyAsync(request, operators))
                .toList();
        return responses.stream().map(CompletableFuture::join);
    }
}
