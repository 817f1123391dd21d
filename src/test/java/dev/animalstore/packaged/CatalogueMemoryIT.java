package dev.animalstore.packaged;

import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Settings of the pages in memory. */
class CatalogueMemoryIT {
    private static final String QUERIES = "animalstore_catalogue_pages_total{source=\"database\"}";
    private static final String MEMORY = "animalstore_catalogue_memory_bytes";
    private static final int PAGES = 100;
    private static final Duration CACHE_TIME = Duration.ofSeconds(5);
    private static final String FROM_MEMORY = "animalstore_catalogue_pages_total{source=\"memory\"}";

    private final Replica remembersLittle = SharedReplicas.configured();
    private final Replica remembersNothing = SharedReplicas.open();
    private final TestKey key = TestKey.unlimited();

    @Test
    void memory_ofManyPages_isBounded() {
        TestDatabase.addPets(PAGES, "available");
        long sent = IntStream.rangeClosed(1, PAGES)
                .mapToLong(limit -> remembersLittle
                        .get("/v1/pets?status=available&limit=" + limit, key)
                        .join()
                        .body()
                        .length())
                .sum();

        double kept = remembersLittle.metric(MEMORY);
        assertTrue(sent > 4 * SharedReplicas.PAGE_MEMORY_BYTES, sent + " bytes sent");
        assertTrue(kept > 0 && kept <= SharedReplicas.PAGE_MEMORY_BYTES, kept + " bytes kept");
    }

    @Test
    void memory_thatIsDisabled_keepsNothing() {
        double before = remembersNothing.metric(QUERIES);
        for (int i = 0; i < 10; i++) {
            assertEquals(200, remembersNothing.status("/v1/pets?limit=1", key));
        }

        assertEquals(before + 10, remembersNothing.metric(QUERIES));
        assertEquals(0, remembersNothing.metric(MEMORY));
    }

    /** Made by a replica that alone cannot reach Redis, by one that is killed before it tells the others, and past the service. */
    @Test
    @Tag("long")
    void pets_thatNobodyAnnounces_areListedWithinTheCacheTime() throws Exception {
        Replica reader = Replica.pair().get(1);
        TestDatabase.changePets("truncate pet cascade");
        try (RedisProcess redis = new RedisProcess(Path.of("target", "test-servers", "redis-of-a-writer"));
                Replica writer = Replica.startWithTimeouts(Map.of("quarkus.redis.hosts", redis.address()))) {
            assertEquals("[]", list(writer));
            double before = reader.metric(FROM_MEMORY);
            Awaitility.await().until(() -> list(reader).equals("[]") && reader.metric(FROM_MEMORY) > before);

            redis.hang();
            assertEquals(201, add(writer, "Alone").join().statusCode());
            CompletableFuture<HttpResponse<String>> lost = add(writer, "Killed");
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> TestDatabase.query("select id from pet").size() == 2);
            writer.kill();
            TestDatabase.query(
                    "insert into pet (name, category_id, status) values ('Past', 1, 'pending') returning id");
            Awaitility.await()
                    .atMost(CACHE_TIME.plus(Replica.ROOM))
                    .until(
                            () -> list(reader),
                            allOf(containsString("Alone"), containsString("Killed"), containsString("Past")));
            assertTrue(lost.isCompletedExceptionally(), "it was not acknowledged");
        }
    }

    private CompletableFuture<HttpResponse<String>> add(Replica writer, String name) {
        return writer.post("/v1/pets", key, "{\"name\":\"" + name + "\",\"categoryId\":1,\"status\":\"pending\"}");
    }

    private String list(Replica replica) {
        return replica.get("/v1/pets?status=pending", key).join().body();
    }
}
