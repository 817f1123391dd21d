package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.FigureTable;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.PostgresProcess;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Lists while PostgreSQL fails for longer than the cache time: pages in memory are still served unless the catalogue has changed, and other
 * lists are refused. Writes a table of docs/faults.md.
 */
@Tag("long")
class CatalogueOutageIT {
    private static final FigureTable TABLE = new FigureTable(
            "lists.md", "fault", "lists in memory", "200", "slowest ms", "other lists", "503", "slowest ms");
    private static final Path SERVERS = Path.of("target", "test-servers");
    private static final Duration FAULT_TIME = Duration.ofSeconds(7);
    private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(5);
    private static final long LONGEST_MILLIS = 2000;
    private static final int PAGES = 10;

    private static RedisProcess redis;
    private static PostgresProcess server;
    private static Replica replica;
    private static TestKey key;

    @BeforeAll
    static void start() throws Exception {
        redis = new RedisProcess(SERVERS.resolve("redis-of-lists"));
        server = new PostgresProcess(SERVERS.resolve("postgres-of-lists"));
        // A busy machine must not be mistaken for a failing Redis.
        replica = Replica.start(Map.of(
                "animalstore.redis.timeout",
                "500ms",
                "quarkus.datasource.jdbc.url",
                "jdbc:postgresql://" + server.address() + "/postgres",
                "quarkus.redis.hosts",
                redis.address(),
                "animalstore.admin.token",
                Operator.TOKEN));
        key = replica.issue(Operator.UNLIMITED);
        for (int i = 0; i < 2 * PAGES; i++) {
            assertEquals(
                    201,
                    replica.post("/v1/pets", key, "{\"name\":\"Rex\",\"categoryId\":1}")
                            .join()
                            .statusCode());
        }
    }

    @AfterAll
    static void stop() throws IOException {
        replica.close();
        server.close();
        redis.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"KILLED", "HUNG"})
    void lists_inMemory_areServedWhileTheDatabaseFails(DatabaseFault fault) throws Exception {
        Map<Integer, String> before = new HashMap<>();
        IntStream.rangeClosed(1, PAGES)
                .forEach(limit -> before.put(limit, list(limit).body()));
        // Different pages for each fault, since those listed after the previous fault are in memory.
        int firstOther = fault == DatabaseFault.KILLED ? PAGES : 2 * PAGES;
        Tally inMemory = new Tally();
        Tally others = new Tally();
        fault.begin(server);
        long end = System.nanoTime() + FAULT_TIME.toNanos();
        while (System.nanoTime() - end < 0) {
            for (int limit = 1; limit <= PAGES; limit++) {
                String body = before.get(limit);
                inMemory.add(
                        limit,
                        response ->
                                response.statusCode() == 200 && response.body().equals(body));
                others.add(firstOther + limit, response -> response.statusCode() == 503);
            }
        }
        fault.end(server, null);
        Awaitility.await()
                .atMost(LONGEST_RECOVERY)
                .until(() -> list(firstOther + 1).statusCode() == 200);

        TABLE.add(
                FigureTable.words(fault),
                inMemory.requests,
                inMemory.expected,
                inMemory.slowestMillis,
                others.requests,
                others.expected,
                others.slowestMillis);
        assertEquals(inMemory.requests, inMemory.expected, "lists in memory, each the same as before");
        assertEquals(others.requests, others.expected, "other lists, each a 503");
        assertTrue(Math.max(inMemory.slowestMillis, others.slowestMillis) <= LONGEST_MILLIS, TABLE::toString);
    }

    private static HttpResponse<String> list(int limit) {
        return replica.get("/v1/pets?limit=" + limit, key).join();
    }

    /** Counts the lists with the expected response, and how long they took. */
    private static final class Tally {
        private int requests;
        private int expected;
        private long slowestMillis;

        void add(int limit, Predicate<HttpResponse<String>> expectation) {
            long begin = System.nanoTime();
            HttpResponse<String> response = list(limit);
            requests++;
            expected += expectation.test(response) ? 1 : 0;
            slowestMillis = Math.max(
                    slowestMillis, Duration.ofNanos(System.nanoTime() - begin).toMillis());
        }
    }
}
