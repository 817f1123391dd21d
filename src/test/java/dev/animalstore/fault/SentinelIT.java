package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Fuzz;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.AddingAndListing;
import dev.animalstore.load.Traffic;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** Two replicas of the package on a Redis with a standby that a Sentinel promotes. */
@Tag("long")
class SentinelIT {
    private static final String NAME = "animalstore";
    private static final int PER_MINUTE = 300;
    private static final int CLIENTS = 8;
    private static final int OPERATIONS = 10_000;
    private static final Path FOLDER = Path.of("target", "test-servers", "sentinel");

    private RedisProcess master;
    private RedisProcess follower;
    private RedisProcess sentinel;
    private List<Replica> replicas = List.of();

    @BeforeEach
    void start() throws IOException {
        master = new RedisProcess(FOLDER.resolve("master"));
        follower = new RedisProcess(FOLDER.resolve("follower"));
        sentinel = new RedisProcess(FOLDER.resolve("sentinel"));
        sentinel.kill();
        sentinel.start("--sentinel");
        sentinel.awaitResponse();
        try (Jedis redis = follower.connect()) {
            redis.slaveof("127.0.0.1", port(master));
        }
        try (Jedis redis = sentinel.connect()) {
            redis.sentinelMonitor(NAME, "127.0.0.1", port(master), 1);
            redis.sentinelSet(NAME, Map.of("down-after-milliseconds", "1000", "failover-timeout", "5000"));
            // A Sentinel queries a master for its replicas every ten seconds.
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> redis.sentinelReplicas(NAME).stream()
                            .anyMatch(replica -> "ok".equals(replica.get("master-link-status"))));
        }
        Map<String, String> properties = Map.of(
                "quarkus.redis.client-type",
                "sentinel",
                "quarkus.redis.hosts",
                sentinel.address(),
                "quarkus.redis.master-name",
                NAME,
                "animalstore.replicas",
                "2",
                "animalstore.redis.timeout",
                "500ms");
        replicas = List.of(Replica.start(properties), Replica.start(properties));
        Traffic.warmUp(replicas);
    }

    @AfterEach
    void stop() throws IOException {
        replicas.forEach(Replica::close);
        follower.close();
        sentinel.close();
    }

    @Test
    void requests_whileTheMasterDies_areCountedRightAndSharedWithinSeconds() throws IOException {
        TestKey key = TestKey.of(PER_MINUTE, 1_000_000);
        TestKey observed = TestKey.unlimited();
        Awaitility.await().until(() -> Traffic.isShared(replicas, observed));
        Traffic traffic = new Traffic(replicas, List.of(key));
        traffic.start();
        traffic.awaitRequests(PER_MINUTE / 2);
        long begin = System.nanoTime();
        master.kill();
        Traffic.awaitSharing(replicas, observed);
        long sharedAgain = Duration.ofNanos(System.nanoTime() - begin).toMillis();
        traffic.awaitRequests(3 * PER_MINUTE);
        traffic.stop();
        traffic.report(Traffic.table("sentinel.md"), "master killed", sharedAgain);
        traffic.assertMetered(PER_MINUTE);
    }

    /** Writes that were not yet replicated are lost, so an old version of the catalogue may return. */
    @Test
    void lists_whileTheMasterDies_areNeverStale() throws IOException {
        TestDatabase.changePets("truncate pet cascade");
        AddingAndListing clients = new AddingAndListing(replicas, Fuzz.firstNumber());
        CompletableFuture<Void> load = clients.start(CLIENTS, OPERATIONS);
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> clients.operations() > OPERATIONS / 4);
        master.kill();
        load.join();

        assertEquals(List.of(), clients.faults(), clients::toString);
        assertTrue(Traffic.isShared(replicas, TestKey.unlimited()), "the standby has taken over meanwhile");
    }

    private static int port(RedisProcess redis) {
        String address = redis.address();
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }
}
