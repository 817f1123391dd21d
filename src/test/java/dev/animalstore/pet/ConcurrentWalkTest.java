package dev.animalstore.pet;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;

import dev.animalstore.fixture.PageWalker;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The guarantees of a walk through the list while pets are added; a pet that is added during the walk may be missed. */
@QuarkusTest
class ConcurrentWalkTest {
    private static final int WRITERS = 6;
    private static final int WALKERS = 2;
    private static final int WALKS = 50;
    private static final String LIST = "/v1/pets?limit=50&status=pending";

    private final TestKey key = TestKey.unlimited();
    private final ExecutorService clients = Executors.newFixedThreadPool(WRITERS + WALKERS);
    private final Set<Long> acknowledged = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    @AfterEach
    void close() {
        stopped = true;
        clients.shutdown();
    }

    @Test
    void walk_whilePetsAreAdded_showsEachPetAcknowledgedBeforeItsFirstPageOnce() {
        List<CompletableFuture<Void>> writers = start(WRITERS, this::addUntilStopped);

        start(WALKERS, this::walk).forEach(CompletableFuture::join);

        stopped = true;
        writers.forEach(CompletableFuture::join);
    }

    private List<CompletableFuture<Void>> start(int count, Runnable client) {
        return IntStream.range(0, count)
                .mapToObj(i -> CompletableFuture.runAsync(client, clients))
                .toList();
    }

    /** Adds pets, alternately with and without an idempotency key. */
    private void addUntilStopped() {
        for (int i = 0; !stopped; i++) {
            Map<String, String> headers = i % 2 == 0
                    ? Map.of()
                    : Map.of("Idempotency-Key", UUID.randomUUID().toString());
            acknowledged.add(key.given()
                    .headers(headers)
                    .contentType("application/json")
                    .body("{\"name\": \"Rex\", \"categoryId\": 3, \"status\": \"pending\"}")
                    .post("/v1/pets")
                    .then()
                    .statusCode(201)
                    .extract()
                    .jsonPath()
                    .getLong("id"));
        }
    }

    /** The first walk begins at the start of the list, each later one at the last page but one of the previous walk. */
    private void walk() {
        String address = LIST;
        long after = 0;
        for (int i = 0; i < WALKS; i++) {
            List<Response> pages = walk(address, after);
            if (pages.size() > 1) {
                Response page = pages.get(pages.size() - 2);
                address = LIST + "&cursor=" + PageWalker.cursor(page);
                after = page.jsonPath().getLong("id[-1]");
            }
        }
    }

    private List<Response> walk(String address, long after) {
        int seen = acknowledged.size();
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> acknowledged.size() > seen);
        List<Long> expected = acknowledged.stream().filter(id -> id > after).toList();

        List<Response> pages = PageWalker.pages(key, address);

        List<Long> shown = PageWalker.ids(pages);
        assertThat(shown, equalTo(shown.stream().distinct().sorted().toList()));
        Set<Long> once = Set.copyOf(shown);
        assertThat(
                "acknowledged and not shown",
                expected.stream().filter(id -> !once.contains(id)).toList(),
                equalTo(List.of()));
        return pages;
    }
}
