package dev.animalstore.packaged;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.lessThan;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.animalstore.fixture.FigureTable;
import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Artifact;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How much memory a request allocates if no compiler avoids it, as in a native executable. The tests' JVM compiles without escape analysis.
 * Requests are pipelined, so figures of other loads may be higher.
 */
@Tag("long")
class GarbageIT {
    private static final int CONNECTIONS = 8;
    private static final int PIPELINED = 20;
    private static final int WARM_UP_ROUNDS = 200;
    private static final int ROUNDS = 150;
    private static final double KILOBYTE = 1024;

    private static final FigureTable TABLE = new FigureTable("garbage.md", "request | KB allocated");

    @Test
    void request_allocatesNoMoreThanKnown() throws IOException {
        assumeFalse(Artifact.read().isNative(), "An executable does not report what it allocates.");
        Map<String, String> noBansAndNoLimitOfFailures = Map.of(
                "animalstore.ban.strikes-per-limit", "1000000",
                "animalstore.failed-authentication.per-minute", "1000000000",
                "animalstore.failed-authentication.per-day", "1000000000");
        try (Replica replica = Replica.start(noBansAndNoLimitOfFailures, "-Xmx256m", "-Xmn16m", "-XX:+UseSerialGC")) {
            TestDatabase.addPets(20, "available");
            TestKey spent = TestKey.of(1, 1);
            replica.get("/v1/pets", spent).join();

            assertAllocates(
                    "list of 20 pets from memory", 200, TestKey.unlimited().text(), 14, replica);
            assertAllocates("429 of a key", 429, spent.text(), 11, replica);
            assertAllocates("401", 401, "nope", 7, replica);
        }
    }

    private static void assertAllocates(String what, int status, String key, double bound, Replica replica)
            throws IOException {
        String request = "GET /v1/pets?limit=20 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key + "\r\n\r\n";
        List<KeptConnection> connections = KeptConnection.open(CONNECTIONS, replica.port(), "");
        send(request, status, WARM_UP_ROUNDS, connections);
        double before = allocatedBytes(replica);
        send(request, status, ROUNDS, connections);
        double allocated = allocatedBytes(replica) - before;
        KeptConnection.closeAll(connections);

        double kilobytes = allocated / (ROUNDS * CONNECTIONS * PIPELINED) / KILOBYTE;
        TABLE.add(what, kilobytes);
        assertThat(what, kilobytes, allOf(greaterThan(bound / 2), lessThan(bound)));
    }

    /** What collections have found, and what was allocated since the last one. */
    private static double allocatedBytes(Replica replica) {
        return replica.metric("jvm_gc_memory_allocated_bytes_total")
                + replica.metric("jvm_memory_used_bytes{area=\"heap\",id=\"Eden Space\"}");
    }

    private static void send(String request, int status, int rounds, List<KeptConnection> connections)
            throws IOException {
        for (int round = 0; round < rounds; round++) {
            for (KeptConnection connection : connections) {
                connection.send(request.repeat(PIPELINED));
            }
            for (KeptConnection connection : connections) {
                for (int i = 0; i < PIPELINED; i++) {
                    assertEquals(status, connection.read().status());
                }
            }
        }
    }
}
