package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Responses;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Load;
import dev.animalstore.process.Replica;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Two replicas that count the requests of a key together, while a server of Redis is replaced. */
record SharedCount(List<Replica> replicas) {
    /** Charges that a master may have acknowledged but not replicated when it dies; replication takes milliseconds. */
    private static final int LOST_IN_REPLICATION = 10;

    /** Starts clients that send at most 160 requests per second with several keys in turn. */
    Load start(List<TestKey> keys) {
        return Load.lists(8, Duration.ofMillis(50), client -> replicas.get(client % replicas.size()), keys);
    }

    /** Waits until alternate requests to both replicas are charged to one count. How soon depends on the servers of Redis. */
    void await(TestKey key) {
        Awaitility.await().pollInterval(Duration.ofMillis(50)).until(() -> {
            List<Integer> remaining =
                    Stream.of(0, 1, 0, 1).map(i -> remaining(i, key)).toList();
            int first = remaining.get(0);
            return remaining.equals(List.of(first, first - 1, first - 2, first - 3));
        });
    }

    /**
     * Checks that all requests were admitted or refused, and that a key exceeded its limit at most by what the two replicas may admit
     * locally, half of it each, and by what a dead master had not replicated.
     */
    static void assertMetered(Attempts attempts, TestKey key, int limit) {
        assertEquals(0, attempts.others(), attempts::toString);
        long admitted = attempts.admitted(key);
        assertTrue(admitted >= limit && admitted <= 2 * limit + LOST_IN_REPLICATION, admitted + " were admitted");
    }

    private int remaining(int replica, TestKey key) {
        return Responses.remaining(replicas.get(replica).list(key).join());
    }
}
