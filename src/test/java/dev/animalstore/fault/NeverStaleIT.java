package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Fuzz;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.load.AddingAndListing;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import redis.clients.jedis.Jedis;

/**
 * Once a pet is acknowledged, every list that is requested afterwards from any replica shows it, whatever happens to Redis. The schedules
 * are random; {@code -Dfuzz.seed} repeats one as far as the timing of threads allows.
 */
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NeverStaleIT {
    private static final int CLIENTS = 8;
    private static final int OPERATIONS = 20_000;
    private static final int OPERATIONS_WITH_FAULTS = 10_000;
    private static final String FROM_MEMORY = "animalstore_catalogue_pages_total{source=\"memory\"}";
    private static final List<RedisFault> FAULTS = List.of(
            RedisFault.KILLED,
            RedisFault.HUNG,
            RedisFault.HUNG,
            RedisFault.SLOW,
            RedisFault.READ_ONLY,
            RedisFault.OUT_OF_MEMORY,
            RedisFault.FLUSHED,
            RedisFault.RESTARTED);

    private static RedisProcess redis;
    private static List<Replica> replicas;

    private final long seed = Fuzz.firstNumber();

    @BeforeAll
    static void start() throws IOException {
        redis = new RedisProcess(Path.of("target", "test-servers", "catalogue-redis"));
        Map<String, String> properties = Map.of(
                "quarkus.redis.hosts", redis.address(),
                "animalstore.replicas", "3",
                "animalstore.redis.timeout", "100ms");
        replicas = List.of(Replica.start(properties), Replica.start(properties), Replica.start(properties));
    }

    /** The pets of another test are no longer listed, although these replicas do not learn it from their Redis. */
    @BeforeEach
    void empty() {
        try (Jedis server = redis.connect()) {
            TestDatabase.changePets("truncate pet cascade");
            server.flushAll();
        }
    }

    @AfterAll
    static void stop() throws IOException {
        replicas.forEach(Replica::close);
        redis.close();
    }

    @Test
    void lists_whilePetsAreAddedThroughThreeReplicas_areNeverStale() throws Exception {
        double before = servedFromMemory();
        AddingAndListing clients = new AddingAndListing(replicas, seed);
        clients.start(CLIENTS, OPERATIONS).join();

        assertEquals(List.of(), clients.faults(), clients::toString);
        assertTrue(servedFromMemory() - before >= OPERATIONS / 100);
    }

    @Test
    void lists_whileRedisFailsInEveryWay_areNeverStale() throws Exception {
        double before = servedFromMemory();
        AddingAndListing clients = new AddingAndListing(replicas, seed);
        RandomGenerator random = new SplittableRandom(seed);
        CompletableFuture<Void> load = clients.start(CLIENTS, OPERATIONS_WITH_FAULTS);
        while (!load.isDone()) {
            if (random.nextBoolean()) {
                save();
                awaitMore(clients, random.nextInt(OPERATIONS / 100), load);
            }
            fail(FAULTS.get(random.nextInt(FAULTS.size())), load, random);
            awaitMore(clients, random.nextInt(OPERATIONS / 20), load);
        }
        load.join();

        assertEquals(List.of(), clients.faults(), clients::toString);
        assertTrue(servedFromMemory() > before);
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void lists_whileAReplicaIsKilled_areNeverStale() throws Exception {
        AddingAndListing clients = new AddingAndListing(replicas, seed);
        CompletableFuture<Void> load = clients.start(CLIENTS, OPERATIONS / 4);
        awaitMore(clients, OPERATIONS / 8, load);
        replicas.get(2).kill();
        load.join();

        assertEquals(List.of(), clients.faults(), clients::toString);
    }

    /** Saves Redis's data, so that it restarts with the catalogue's current version. */
    private void save() {
        try (Jedis server = redis.connect()) {
            server.save();
        }
    }

    private void fail(RedisFault fault, CompletableFuture<Void> load, RandomGenerator random) throws IOException {
        CompletableFuture<Void> end =
                new CompletableFuture<Void>().completeOnTimeout(null, random.nextInt(20, 2500), TimeUnit.MILLISECONDS);
        fault.begin(redis);
        fault.during(redis);
        CompletableFuture.anyOf(end, load).join();
        fault.end(redis);
        redis.awaitResponse();
    }

    private static void awaitMore(AddingAndListing clients, int count, CompletableFuture<Void> load) {
        int wanted = clients.operations() + count;
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .until(() -> load.isDone() || clients.operations() >= wanted);
    }

    private static double servedFromMemory() {
        double pages = 0;
        for (Replica replica : replicas) {
            pages += replica.metric(FROM_MEMORY);
        }
        return pages;
    }
}
