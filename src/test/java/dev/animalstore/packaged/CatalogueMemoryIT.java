package dev.animalstore.packaged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Settings of the pages in memory. */
class CatalogueMemoryIT {
    private static final String QUERIES = "animalstore_catalogue_pages_total{source=\"database\"}";
    private static final String MEMORY = "animalstore_catalogue_memory_bytes";
    private static final int PAGES = 100;

    @Test
    void memory_ofManyPages_isBounded() throws IOException, InterruptedException {
        Replica replica = SharedReplicas.configured();
        TestKey key = TestKey.unlimited();
        TestDatabase.addPets(PAGES, "available");
        long sent = IntStream.rangeClosed(1, PAGES)
                .mapToLong(limit -> replica.get("/v1/pets?status=available&limit=" + limit, key)
                        .join()
                        .body()
                        .length())
                .sum();

        double kept = replica.metric(MEMORY);
        assertTrue(sent > 4 * SharedReplicas.PAGE_MEMORY_BYTES, sent + " bytes sent");
        assertTrue(kept > 0 && kept <= SharedReplicas.PAGE_MEMORY_BYTES, kept + " bytes kept");
    }

    @Test
    void memory_thatIsDisabled_keepsNothing() throws IOException, InterruptedException {
        Replica replica = SharedReplicas.open();
        TestKey key = TestKey.unlimited();
        double before = replica.metric(QUERIES);
        for (int i = 0; i < 10; i++) {
            assertEquals(200, replica.get("/v1/pets?limit=1", key).join().statusCode());
        }

        assertEquals(before + 10, replica.metric(QUERIES));
        assertEquals(0, replica.metric(MEMORY));
    }
}
