package dev.animalstore.metering.key;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.metering.key.BearerKey.KeyHash;
import dev.animalstore.metering.key.KeyCache.Copy;
import dev.animalstore.metering.key.KeyQueries.Row;
import dev.animalstore.outage.DatabaseBreaker;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Which secrets share a query, and what those that share it get if it fails. */
@QuarkusTest
class KeyQueriesTest {
    @AutoClose("countDown")
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    /** The numbers of secrets of each query. */
    private final Queue<Integer> begun = new ConcurrentLinkedQueue<>();

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private RuntimeException failure;

    @Inject
    @io.quarkus.agroal.DataSource("metering")
    DatabaseBreaker database;

    @Test
    void secrets_ofManyRequestsAtOnce_shareFewQueriesOfWhichFewRun() {
        KeyQueries queries = new Queries();
        List<CompletableFuture<Copy>> all = IntStream.rangeClosed(1, 10_000)
                .mapToObj(i -> queries.find(hash(i)))
                .toList();
        Awaitility.await().until(() -> begun.size() == 3);
        all.forEach(found -> assertTrue(!found.isDone()));
        mayEnd.countDown();

        for (int i = 0; i < all.size(); i++) {
            assertEquals(i + 1, all.get(i).join().key().id());
        }
        assertTrue(begun.stream().allMatch(secrets -> secrets <= 500), begun::toString);
        assertTrue(begun.size() <= 25, begun::toString);
        assertEquals(begun.size(), metrics.counter("animalstore.keys.queries").count());
    }

    @Test
    void queries_oneAfterTheOther_beginAtMostAHundredTimesPerSecond() {
        mayEnd.countDown();
        KeyQueries queries = new Queries();
        long before = System.nanoTime();
        IntStream.rangeClosed(1, 21).forEach(i -> queries.find(hash(i)).join());
        assertTrue(System.nanoTime() - before >= 200_000_000);
        assertEquals(21, begun.size());
    }

    /** A request needs what is committed before it. */
    @Test
    void secret_askedForWhileItIsQueried_isQueriedAgain() {
        KeyQueries queries = new Queries();
        CompletableFuture<Copy> first = queries.find(hash(1));
        Awaitility.await().until(() -> begun.size() == 1);
        long between = System.nanoTime();
        CompletableFuture<Copy> second = queries.find(hash(1));
        mayEnd.countDown();
        assertTrue(first.join().readNanos() < between && second.join().readNanos() > between);
    }

    /** It would otherwise fail all others of its query. */
    @Test
    void keyWithoutLimits_failsAlone() {
        KeyQueries queries = new Queries();
        CompletableFuture<Copy> usual = queries.find(hash(2));
        CompletableFuture<Copy> damaged = queries.find(hash(0));
        mayEnd.countDown();
        assertEquals(2, usual.join().key().id());
        Throwable failure =
                assertThrows(CompletionException.class, damaged::join).getCause();
        assertInstanceOf(NullPointerException.class, failure);
    }

    /** None of the requests that share a query records its failure again. */
    @Test
    void query_thatFindsNoServer_isOneFailureThatEachRequestGets() {
        failure = new IllegalStateException(new SQLException("unavailable", "08006"));
        KeyQueries queries = new Queries();
        List<CompletableFuture<Copy>> all = IntStream.rangeClosed(1, 20)
                .mapToObj(i -> queries.find(hash(i)))
                .toList();
        mayEnd.countDown();
        for (CompletableFuture<Copy> one : all) {
            Throwable cause = assertThrows(CompletionException.class, one::join).getCause();
            assertEquals(ErrorCode.SERVICE_UNAVAILABLE, ((ApiException) cause).code());
            assertTrue(!database.isOutage(cause));
        }
        assertTrue(begun.size() <= 2, begun::toString);
    }

    @Test
    void query_thatNoThreadTakes_failsAndTheNextIsTried() {
        mayEnd.countDown();
        KeyQueries queries = new Queries();
        Executor usual = Infrastructure.getDefaultExecutor();
        ScheduledThreadPoolExecutor full = new ScheduledThreadPoolExecutor(1);
        full.shutdown();
        Infrastructure.setDefaultExecutor(full);
        try {
            IntStream.range(0, 10)
                    .forEach(i -> assertThrows(
                            CompletionException.class,
                            () -> queries.find(hash(i)).join()));
        } finally {
            Infrastructure.setDefaultExecutor(usual);
        }
        assertEquals(3, queries.find(hash(3)).join().key().id());
    }

    private static KeyHash hash(long number) {
        return new KeyHash(number, 0, 0, 0);
    }

    /** Key 0 has no limits. */
    private final class Queries extends KeyQueries {
        Queries() {
            super(database, metrics, Ticker.systemTicker());
        }

        @Override
        List<Row> query(Collection<KeyHash> hashes) {
            begun.add(hashes.size());
            assertDoesNotThrow(() -> mayEnd.await());
            if (failure != null) {
                throw failure;
            }
            return hashes.stream()
                    .map(hash -> new Row(
                            hash.bytes(),
                            hash.first(),
                            "free",
                            hash.first() == 0 ? null : 60,
                            1000,
                            1,
                            Instant.EPOCH,
                            null,
                            null,
                            null,
                            null,
                            null,
                            false))
                    .toList();
        }
    }
}
