package dev.animalstore.replicas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.FigureTable;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.process.Relay;
import dev.animalstore.process.Replica;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Additions that are not announced to the replicas are listed after the cache time of 5 s at the latest: those made directly in the
 * database, those by a replica that ended before the announcement, and those by a replica that is the only one without Redis. Writes a
 * table of docs/faults.md.
 */
@Tag("long")
class CatalogueCacheTimeIT {
    private static final FigureTable TABLE = new FigureTable("catalogue.md", "added", "listed by others after ms");
    private static final Duration CACHE_TIME = Duration.ofSeconds(5);

    private static final String FROM_MEMORY = "animalstore_catalogue_pages_total{source=\"memory\"}";
    private static final String PAGE = "/v1/pets?limit=100&status=pending";
    private static final String PET = "{\"name\":\"Rex\",\"categoryId\":1,\"status\":\"pending\"}";

    private TestKey key;
    private Relay relay;
    private Replica writer;
    private Replica reader;

    @BeforeEach
    void start() throws Exception {
        relay = new Relay(TestServers.redis());
        writer = Replica.startWithTimeouts(Map.of("quarkus.redis.hosts", relay.address()));
        reader = Replica.pair().get(1);
        key = TestKey.unlimited();
        TestDatabase.changePets("truncate pet cascade");
        assertEquals(200, writer.get(PAGE, key).join().statusCode());
        double before = reader.metric(FROM_MEMORY);
        await(() -> list().equals("[]") && reader.metric(FROM_MEMORY) > before);
    }

    @AfterEach
    void stop() {
        writer.close();
        relay.close();
    }

    @Test
    void pet_addedDirectlyToTheDatabase_isListedWithinTheCacheTime() {
        TestDatabase.query("insert into pet (name, category_id, status) values ('Rex', 1, 'pending') returning id");
        assertListedInTime("past the service", System.nanoTime());
    }

    @Test
    void pet_addedByTheOnlyReplicaThatCannotReachRedis_isListedWithinTheCacheTime() {
        relay.block();
        assertEquals(201, writer.post("/v1/pets", key, PET).join().statusCode());
        assertListedInTime("by a replica that alone cannot reach Redis", System.nanoTime());
    }

    @Test
    void pet_addedByAReplicaThatEndsBeforeTheAnnouncement_isListedWithinTheCacheTime() throws InterruptedException {
        relay.block();
        CompletableFuture<HttpResponse<String>> response = writer.post("/v1/pets", key, PET);
        await(() -> !TestDatabase.query("select id from pet").isEmpty());
        writer.kill();
        assertListedInTime("by a replica that was killed before it told", System.nanoTime());
        assertTrue(response.isCompletedExceptionally(), "it was not acknowledged");
    }

    private void assertListedInTime(String how, long added) {
        await(() -> list().contains("Rex"));
        Duration passed = Duration.ofNanos(System.nanoTime() - added);
        TABLE.add(how, passed.toMillis());
        assertTrue(passed.compareTo(CACHE_TIME.plus(Replica.ROOM)) < 0, passed::toString);
    }

    private String list() {
        return reader.get(PAGE, key).join().body();
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().pollInterval(Duration.ofMillis(5)).until(condition);
    }
}
