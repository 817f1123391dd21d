package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Fuzz;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.AddingAndListing;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Load;
import dev.animalstore.process.RedisCluster;
import dev.animalstore.process.RedisCluster.Node;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two replicas of the package on a Redis Cluster, in which other nodes become masters under load. */
@Tag("long")
class ClusterIT {
    /** A limit per day, since a minute may end during a test. */
    private static final int PER_DAY = 100;

    private static RedisCluster cluster;
    private static SharedCount shared;

    @BeforeAll
    static void start() throws IOException {
        cluster = new RedisCluster();
        Map<String, String> properties = Map.of(
                "quarkus.redis.client-type", "cluster",
                "quarkus.redis.hosts", cluster.hosts(),
                "animalstore.replicas", "2");
        shared = new SharedCount(List.of(Replica.start(properties), Replica.start(properties)));
    }

    @AfterAll
    static void stop() throws IOException {
        cluster.awaitWhole();
        shared.replicas().forEach(Replica::close);
        cluster.close();
    }

    @BeforeEach
    void awaitWhole() {
        cluster.awaitWhole();
        oneKeyOnEachMaster(1_000_000).values().forEach(shared::await);
    }

    /** It refuses what announces an addition, and responds to reads, while most decisions succeed elsewhere. */
    @Test
    void lists_whileTheMasterOfTheCatalogueIsFull_areNeverStale() throws Exception {
        TestDatabase.changePets("truncate pet cascade");
        RedisProcess full = cluster.masterOfCatalogue().process();
        AddingAndListing clients = new AddingAndListing(shared.replicas(), Fuzz.firstNumber());
        CompletableFuture<Void> load = clients.start(4, 1000);
        full.ask(redis -> redis.configSet("maxmemory", "1"));
        try {
            load.join();
        } finally {
            full.ask(redis -> redis.configSet("maxmemory", "0"));
        }

        assertEquals(List.of(), clients.faults(), clients::toString);
        assertTrue(shared.replicas().get(0).metric("animalstore_catalogue_pages_total{source=\"memory\"}") > 0);
    }

    /** While a master is handed over nothing fails, so a replica that decided locally would admit half of a limit once more. */
    @ParameterizedTest
    @ValueSource(strings = {"handed over", "handed over without hosts", "killed", "hung", "standby hung"})
    void requests_whileANodeIsReplacedOrHangs_areSharedAgainWithinSeconds(String change) throws IOException {
        Map<Node, TestKey> keys = oneKeyOnEachMaster(PER_DAY);
        Collection<TestKey> observed = oneKeyOnEachMaster(1_000_000).values();
        Node master = cluster.masterOf(TestKey.unlimited());
        Node changing = change.startsWith("standby") ? cluster.standbyOf(master) : master;
        if (change.endsWith("without hosts")) {
            changing.hideHosts();
        }
        Load load = shared.start(List.copyOf(keys.values()));
        load.awaitMore(PER_DAY);
        Attempts attempts;
        try {
            switch (change) {
                case "killed" -> changing.process().kill();
                case "hung" -> changing.process().hang();
                case "standby hung" -> {
                    changing.process().hang();
                    cluster.awaitFailed(changing);
                }
                default -> cluster.failOver(changing);
            }
            observed.forEach(shared::await);
            load.awaitMore(6 * PER_DAY);
            attempts = load.stop();
        } finally {
            switch (change) {
                case "killed" -> changing.restart();
                case "hung", "standby hung" -> changing.process().goOn();
                default -> {}
            }
        }

        keys.values().forEach(key -> SharedCount.assertMetered(attempts, key, PER_DAY));
        if (change.startsWith("standby")) {
            keys.forEach((node, key) -> assertTrue(node.exists(key)));
        }
        if (change.startsWith("handed over")) {
            keys.remove(changing);
            keys.values().forEach(key -> assertEquals(PER_DAY, attempts.admitted(key), attempts::toString));
        }
    }

    /** {@code CLUSTER SLOTS} has no host, then an empty one: that which the client is connected to. */
    @Test
    void node_thatDoesNotNameItsHost_isUsedAlsoAfterItsRestart() throws IOException {
        Node node = RedisCluster.lone();
        try (RedisProcess process = node.process()) {
            node.hideHosts();
            Map<String, String> properties =
                    Map.of("quarkus.redis.client-type", "cluster", "quarkus.redis.hosts", process.address());
            try (Replica replica = Replica.start(properties)) {
                awaitCounted(replica, node);
                process.kill();
                Awaitility.await().until(replica::isDegraded);
                node.restart();
                awaitCounted(replica, node);
                assertFalse(replica.log().contains("\"frames\":"));
            }
        }
    }

    private static void awaitCounted(Replica replica, Node node) {
        TestKey key = TestKey.unlimited();
        // A node refuses commands until it has noticed that it has all slots.
        Awaitility.await()
                .ignoreExceptions()
                .until(() -> replica.status(key) == 200 && replica.isShared() && node.exists(key));
    }

    private static Map<Node, TestKey> oneKeyOnEachMaster(int perDay) {
        Map<Node, TestKey> keys = new HashMap<>();
        while (keys.size() < RedisCluster.MASTERS) {
            TestKey key = TestKey.of(perDay, perDay);
            keys.putIfAbsent(cluster.masterOf(key), key);
        }
        return keys;
    }
}
