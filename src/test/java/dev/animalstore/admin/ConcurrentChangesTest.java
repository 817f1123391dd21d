package dev.animalstore.admin;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;

/** Operators change one key at the same time: every change with a successful response takes effect. */
@QuarkusTest
class ConcurrentChangesTest {
    private static final int TIMES = 10;

    private final ExecutorService operators = Executors.newFixedThreadPool(8);
    private final TestKey key = TestKey.of("free");

    @AfterEach
    void close() {
        operators.shutdownNow();
    }

    @RepeatedTest(TIMES)
    void changes_ofDifferentMembers_bothHold() {
        atOnce(List.of(
                        () -> Operator.change(key, "{\"plan\":\"pro\"}"),
                        () -> Operator.change(key, "{\"owner\":\"new\"}"),
                        () -> Operator.change(key, "{\"expiresAt\":\"2090-01-01T00:00:00Z\"}")))
                .forEach(ConcurrentChangesTest::assertChanged);
        Operator.show(key)
                .body("plan", equalTo("pro"))
                .body("owner", equalTo("new"))
                .body("expiresAt", equalTo("2090-01-01T00:00:00Z"));
        key.given().get("/v1/pets").then().statusCode(200).header("X-RateLimit-Limit", "300");
    }

    @RepeatedTest(TIMES)
    void changes_ofThePlan_endWithOneOfThemEverywhere() {
        atOnce(List.of(
                        () -> Operator.change(key, "{\"plan\":\"pro\"}"),
                        () -> Operator.change(key, "{\"plan\":\"business\"}"),
                        () -> Operator.change(
                                key, "{\"plan\":\"enterprise\",\"limits\":{\"perMinute\":7,\"perDay\":70}}")))
                .forEach(ConcurrentChangesTest::assertChanged);
        int limit = Operator.show(key).statusCode(200).extract().path("limits.perMinute");
        assertTrue(List.of(300, 1000, 7).contains(limit), "limit " + limit);
        key.given().get("/v1/pets").then().statusCode(200).header("X-RateLimit-Limit", Integer.toString(limit));
    }

    @RepeatedTest(TIMES)
    void rotations_withGrace_issueSecretsThatAllWork() {
        List<TestKey> issued = atOnce(List.of(
                        () -> Operator.rotate(key, 600),
                        () -> Operator.rotate(key, 600),
                        () -> Operator.rotate(key, 600)))
                .map(response ->
                        new TestKey(key.id(), response.statusCode(201).extract().path("key")))
                .toList();
        Operator.show(key).body("secrets", hasSize(4)).body("secrets.hint", everyItem(notNullValue()));
        issued.forEach(secret -> secret.given().get("/v1/pets").then().statusCode(200));
    }

    @RepeatedTest(TIMES)
    void revocation_andAChange_leaveTheKeyRevoked() {
        List<Integer> statuses = atOnce(List.of(
                        () -> Operator.revoke(key),
                        () -> Operator.change(key, "{\"expiresAt\":null,\"plan\":\"pro\"}")))
                .map(response -> response.extract().statusCode())
                .toList();
        assertEquals(204, statuses.get(0));
        assertTrue(List.of(200, 409).contains(statuses.get(1)), "changed with " + statuses.get(1));
        Operator.show(key).body("revokedAt", notNullValue());
        key.given().get("/v1/pets").then().statusCode(401);
    }

    /** Checks that the response shows the current quota, even if a later change has been made meanwhile. */
    private static void assertChanged(ValidatableResponse response) {
        response.statusCode(200);
        Instant reset = Instant.parse(response.extract().path("usage.minute.resetsAt"));
        assertTrue(reset.isAfter(Instant.now()), "resets at " + reset);
    }

    private Stream<ValidatableResponse> atOnce(List<Supplier<ValidatableResponse>> requests) {
        List<CompletableFuture<ValidatableResponse>> responses = requests.stream()
                .map(request -> CompletableFuture.supplyAsync(request, operators))
                .toList();
        return responses.stream().map(CompletableFuture::join);
    }
}
