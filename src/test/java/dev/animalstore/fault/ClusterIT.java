package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.FigureTable;
import dev.animalstore.fixture.Fuzz;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.AddingAndListing;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Traffic;
import dev.animalstore.process.RedisCluster;
import dev.animalstore.process.RedisCluster.Node;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two replicas of the package on a Redis Cluster, in which other nodes become masters under load. */
@Tag("long")
class ClusterIT {
    private static final FigureTable TABLE = Traffic.table("cluster.md");
    private static final int PER_MINUTE = 100;

    /** Longer than the default, which a busy machine sometimes exceeds: the counts of this test must be exact. */
    private static final Duration DEADLINE = Duration.ofMillis(500);

    private static RedisCluster cluster;
    private static List<Replica> replicas;

    @BeforeAll
    static void start() throws IOException {
        cluster = new RedisCluster(Path.of("target", "test-servers", "cluster"));
        Map<String, String> properties = Map.of(
                "quarkus.redis.client-type",
                "cluster",
                "quarkus.redis.hosts",
                cluster.hosts(),
                "animalstore.replicas",
                "2",
                "animalstore.redis.timeout",
                DEADLINE.toMillis() + "ms",
                // Otherwise the connections to an idle master would be replaced all the time.
                "quarkus.redis.tcp.read-idle-timeout",
                "0s");
        replicas = List.of(Replica.start(properties), Replica.start(properties));
        Traffic.warmUp(replicas);
    }

    @AfterAll
    static void stop() throws IOException {
        cluster.awaitWhole();
        replicas.forEach(Replica::close);
        cluster.close();
    }

    @BeforeEach
    void awaitSharing() {
        cluster.awaitWhole();
        TestKey key = TestKey.unlimited();
        Awaitility.await().until(() -> Traffic.isShared(replicas, key));
    }

    @Test
    void requests_ofKeysOnEveryMaster_areCountedThere() {
        Map<Node, TestKey> keys = oneKeyOnEachMaster();
        keys.forEach((master, key) -> {
            Traffic traffic = new Traffic(replicas, List.of(key));
            traffic.start();
            traffic.awaitRequests(2 * PER_MINUTE);
            traffic.stop();
            Attempts attempts = traffic.attempts();
            assertEquals(PER_MINUTE, attempts.admitted(), traffic::toString);
            assertEquals(attempts.requests() - PER_MINUTE, attempts.refused(), traffic::toString);
            assertTrue(master.exists(key));
        });
    }

    /** The version of the catalogue is on one master, and the state of most keys on another. */
    @Test
    void lists_ofAClusterToo_areServedFromMemoryAndNeverStale() throws Exception {
        TestDatabase.changePets("truncate pet cascade");
        AddingAndListing clients = new AddingAndListing(replicas, Fuzz.firstNumber());
        clients.start(4, 1000).join();

        assertEquals(List.of(), clients.faults(), clients::toString);
        assertTrue(replicas.get(0).metric("animalstore_catalogue_pages_total{source=\"memory\"}") > 0);
    }

    @Test
    void requests_whileAReplicaTakesOver_areCountedRightAndSharedWithinSeconds() {
        duringAChange("planned failover", cluster::failOver);
    }

    @Test
    void requests_whileAMasterDies_areCountedRightAndSharedWithinSeconds() {
        duringAChange("master killed", ClusterIT::kill);
    }

    @Test
    void requests_whileAMasterHangs_areCountedRightAndSharedWithinSeconds() {
        duringAChange("master hung", ClusterIT::hang);
    }

    private static void duringAChange(String name, Consumer<Node> change) {
        Map<Node, TestKey> keys = oneKeyOnEachMaster();
        Node changing = keys.keySet().iterator().next();
        TestKey observed = keyOn(changing);
        Traffic traffic = new Traffic(replicas, List.copyOf(keys.values()));
        traffic.start();
        traffic.awaitRequests(150);
        long begin = System.nanoTime();
        change.accept(changing);
        Traffic.awaitSharing(replicas, observed);
        long sharedAgain = Duration.ofNanos(System.nanoTime() - begin).toMillis();
        traffic.awaitRequests(6 * PER_MINUTE);
        traffic.stop();
        traffic.report(TABLE, name, sharedAgain);
        traffic.assertMetered(PER_MINUTE);
    }

    /** Ends a master, and starts it again after its replica has taken over. */
    private static void kill(Node master) {
        attempt(master.process()::kill);
        afterTheFailover(master::restart);
    }

    private static void hang(Node master) {
        attempt(master.process()::hang);
        afterTheFailover(master.process()::goOn);
    }

    private static void afterTheFailover(Step step) {
        CompletableFuture.delayedExecutor(6, TimeUnit.SECONDS).execute(() -> attempt(step));
    }

    private static void attempt(Step step) {
        try {
            step.take();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<Node, TestKey> oneKeyOnEachMaster() {
        Map<Node, TestKey> keys = new HashMap<>();
        while (keys.size() < RedisCluster.MASTERS) {
            TestKey key = TestKey.of(PER_MINUTE, 1_000_000);
            keys.putIfAbsent(cluster.masterOf(key), key);
        }
        return keys;
    }

    private static TestKey keyOn(Node master) {
        return Stream.generate(TestKey::unlimited)
                .filter(key -> cluster.masterOf(key).equals(master))
                .findFirst()
                .orElseThrow();
    }

    private interface Step {
        void take() throws IOException;
    }
}
