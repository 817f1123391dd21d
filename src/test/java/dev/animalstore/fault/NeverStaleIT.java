package dev.animalstore.fault;

import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Fuzz;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.AddingAndListing;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/**
 * Once a pet is acknowledged, every list that is requested afterwards from any replica shows it, whatever happens to Redis. The schedules
 * are random; {@code -Dfuzz.seed} repeats one as far as the timing of threads allows.
 */
@Tag("long")
class NeverStaleIT {
    private static final int CLIENTS = 8;
    private static final int OPERATIONS = 10_000;
    private static final String FROM_MEMORY = "animalstore_catalogue_pages_total{source=\"memory\"}";
    /** So of some replicas all probes fail, and of others none. */
    private static final int PART_OF_A_PROBE = 250;

    private static final Duration CACHE_TIME = Duration.ofSeconds(5);
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

    private final Replica reader = Replica.pair().get(1);
    private final TestKey key = TestKey.unlimited();
    private final long seed = Fuzz.firstNumber();

    @BeforeAll
    static void start() throws IOException {
        redis = new RedisProcess("catalogue-redis");
        Map<String, String> properties = Map.of(
                "quarkus.redis.hosts", redis.address(),
                "animalstore.replicas", "3",
                "animalstore.redis.timeout", "100ms");
        replicas = List.of(Replica.start(properties), Replica.start(properties), Replica.start(properties));
    }

    /** The pets of another test are no longer listed, although these replicas do not learn it from their Redis. */
    @BeforeEach
    void empty() {
        TestDatabase.changePets("truncate pet cascade");
        redis.ask(Jedis::flushAll);
    }

    @AfterAll
    static void stop() throws IOException {
        replicas.forEach(Replica::close);
        redis.close();
    }

    @Test
    void lists_whilePetsAreAddedThroughThreeReplicas_areNeverStale() {
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
        CompletableFuture<Void> load = clients.start(CLIENTS, OPERATIONS);
        while (!load.isDone()) {
            if (random.nextBoolean()) {
                // So it restarts with the catalogue's current version.
                redis.ask(Jedis::save);
                awaitMore(clients, random.nextInt(OPERATIONS / 50), load);
            }
            fail(FAULTS.get(random.nextInt(FAULTS.size())), load, random);
            awaitMore(clients, random.nextInt(OPERATIONS / 10), load);
        }
        load.join();

        assertEquals(List.of(), clients.faults(), clients::toString);
        assertTrue(servedFromMemory() > before);
    }

    /** What the probes of one replica see differs from what those of another do, since all are at times of their own. */
    @Test
    void lists_whileHalfOfAllWritesAreRefused_areNeverStale() throws Exception {
        AddingAndListing clients = new AddingAndListing(replicas, seed);
        CompletableFuture<Void> load = clients.start(CLIENTS, OPERATIONS / 4);
        while (!load.isDone()) {
            RedisFault.OUT_OF_MEMORY.begin(redis);
            await(PART_OF_A_PROBE, load);
            RedisFault.OUT_OF_MEMORY.end(redis);
            await(PART_OF_A_PROBE, load);
        }

        assertEquals(List.of(), clients.faults(), clients::toString);
    }

    /** Redis refuses writes for as long as an addition waits. A request that comes meanwhile is the first that the reader processes. */
    @Test
    void list_ofAReaderThatPausedOverAnOutage_isNotStale() throws Exception {
        Replica writer = replicas.get(0);
        Replica paused = replicas.get(1);
        for (int round = 0; round < 4; round++) {
            double before = paused.metric(FROM_MEMORY);
            Awaitility.await().until(() -> !list(paused).isEmpty() && paused.metric(FROM_MEMORY) > before);
            paused.signal("STOP");
            RedisFault.OUT_OF_MEMORY.begin(redis);
            HttpResponse<String> added = add(writer, "Pet " + round).join();
            RedisFault.OUT_OF_MEMORY.end(redis);
            CompletableFuture<HttpResponse<String>> list = paused.get("/v1/pets?status=pending", key);
            paused.signal("CONT");

            assertEquals(201, added.statusCode());
            assertTrue(list.join().body().contains(added.body()), list.join()::body);
        }
    }

    /** Made by a replica that alone cannot reach Redis, by one that is killed before it tells the others, and past the service. */
    @Test
    @Tag("timed")
    void pets_thatNobodyAnnounces_areListedWithinTwiceTheCacheTime() throws Exception {
        try (RedisProcess redis = new RedisProcess("redis-of-a-writer");
                Replica writer = Replica.startWithTimeouts(Map.of("quarkus.redis.hosts", redis.address()))) {
            assertEquals("[]", list(writer));
            double before = reader.metric(FROM_MEMORY);
            Awaitility.await().until(() -> list(reader).equals("[]") && reader.metric(FROM_MEMORY) > before);

            redis.hang();
            assertEquals(201, add(writer, "Alone").join().statusCode());
            // The first addition of an outage waits for a second, in which the writer can be killed.
            redis.goOn();
            Awaitility.await().until(writer::isShared);
            redis.hang();
            CompletableFuture<HttpResponse<String>> lost = add(writer, "Killed");
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> TestDatabase.query("select id from pet").size() == 2);
            writer.kill();
            TestDatabase.query(
                    "insert into pet (name, category_id, status) values ('Past', 1, 'pending') returning id");
            Awaitility.await()
                    .atMost(CACHE_TIME.multipliedBy(2).plus(Replica.ROOM))
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

    private void fail(RedisFault fault, CompletableFuture<Void> load, RandomGenerator random) throws IOException {
        fault.begin(redis);
        fault.during(redis);
        await(random.nextInt(20, 2500), load);
        fault.end(redis);
    }

    private static void await(int millis, CompletableFuture<Void> load) {
        CompletableFuture<Void> end =
                new CompletableFuture<Void>().completeOnTimeout(null, millis, TimeUnit.MILLISECONDS);
        CompletableFuture.anyOf(end, load).join();
    }

    private static void awaitMore(AddingAndListing clients, int count, CompletableFuture<Void> load) {
        int wanted = clients.operations() + count;
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .until(() -> load.isDone() || clients.operations() >= wanted);
    }

    private static double servedFromMemory() {
        return replicas.stream()
                .mapToDouble(replica -> replica.metric(FROM_MEMORY))
                .sum();
    }
}
