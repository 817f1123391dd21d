package dev.animalstore.web.list;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.animalstore.fixture.MovedTicker;
import dev.animalstore.outage.DatabaseBreaker;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import dev.animalstore.web.list.ListPage.Place;
import dev.animalstore.web.list.ListVersions.Version;
import dev.animalstore.web.page.PageRequest;
import dev.animalstore.web.page.PageRequest.Limit;
import io.agroal.api.AgroalDataSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.inject.Inject;
import java.math.BigInteger;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What pages stay in memory for how long, and what their readers get if a query fails. */
@QuarkusTest
class PageCacheTest {
    private static final int PAGE = 20;

    private static final int MEMORY_BYTES = 100_000;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Place PLACE = place(PAGE);
    private static final ListPage PET = new ListPage(new byte[2], null, "\"a\"");
    private static final Version VERSION = new Version("a", "a period");

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

    private final MovedTicker time = new MovedTicker();

    @Inject
    AgroalDataSource database;

    @Inject
    ScheduledExecutorService executor;

    @Test
    void memory_ofManyPages_isBounded() {
        PageCache cache = cache(MINUTE, () -> new ListPage(new byte[9000], null, "\"a\""));
        for (int limit = 1; limit <= Limit.MAXIMUM; limit++) {
            cache.find(place(limit), VERSION).join();
        }

        Awaitility.await().until(() -> keptBytes() > 0 && keptBytes() <= MEMORY_BYTES);
    }

    @Test
    void memory_thatIsSwitchedOff_keepsNothing() {
        PageCache cache = cache(Duration.ZERO, () -> PET);
        cache.find(PLACE, VERSION).join();
        cache.find(PLACE, VERSION).join();

        assertEquals(2, queries());
        assertEquals(0, keptBytes());
    }

    /** What other systems write is seen after twice the cache time, on pages that nobody asks for too. */
    @Test
    void page_afterTheCacheTime_isServedAndQueriedInTheBackgroundAndAfterTwiceIsQueriedFirst() {
        AtomicInteger number = new AtomicInteger();
        PageCache cache = cache(MINUTE, () -> new ListPage(new byte[number.incrementAndGet()], null, "\"a\""));
        assertEquals(1, length(cache));
        time.move(MINUTE);
        assertEquals(1, length(cache));
        Awaitility.await().until(() -> length(cache) == 2);
        assertEquals(2, queries());
        time.move(MINUTE.multipliedBy(2));
        assertEquals(3, length(cache));
    }

    @Test
    void page_withoutTheDatabase_isServedHoweverOldItIs() {
        AtomicInteger number = new AtomicInteger();
        PageCache cache = cache(MINUTE, () -> {
            if (number.incrementAndGet() > 1) {
                throw new IllegalStateException(new SQLException("unavailable", "57P01"));
            }
            return PET;
        });
        for (int i = 0; i < 5; i++) {
            assertEquals(PET, cache.find(PLACE, VERSION).join());
            time.move(MINUTE);
        }
        assertUnavailable(cache.find(PLACE, new Version("a", "another period")));
        assertUnavailable(cache.find(PLACE, null));
    }

    /** Of a database that hangs. */
    @Test
    void page_whoseQueryFailsAfterTwiceTheCacheTime_isServedOn() {
        CountDownLatch mayFail = new CountDownLatch(1);
        AtomicInteger number = new AtomicInteger();
        PageCache cache = cache(MINUTE, () -> {
            if (number.incrementAndGet() > 1) {
                assertDoesNotThrow(() -> mayFail.await());
                throw new IllegalStateException(new SQLException("timeout", "57014"));
            }
            return PET;
        });
        assertEquals(PET, cache.find(PLACE, VERSION).join());
        List<CompletableFuture<ListPage>> late = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            time.move(MINUTE.multipliedBy(2));
            late.add(cache.find(PLACE, VERSION));
        }
        mayFail.countDown();
        late.forEach(page -> assertEquals(PET, page.join()));
        assertEquals(PET, cache.find(PLACE, VERSION).join());
    }

    @Test
    void requests_whileTheVersionIsUnknown_shareTheQueryThatBeginsNext() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger number = new AtomicInteger();
        PageCache cache = cache(MINUTE, () -> {
            assertDoesNotThrow(() -> mayEnd.await());
            return new ListPage(new byte[number.incrementAndGet()], null, "\"a\"");
        });
        CompletableFuture<ListPage> first = cache.find(PLACE, null);
        List<CompletableFuture<ListPage>> others =
                Stream.generate(() -> cache.find(PLACE, null)).limit(PAGE).toList();
        mayEnd.countDown();
        assertEquals(1, first.join().body().length);
        others.forEach(other -> assertEquals(2, other.join().body().length));
        assertEquals(2, queries());
        assertEquals(0, keptBytes());
    }

    private static int length(PageCache cache) {
        return cache.find(PLACE, VERSION).join().body().length;
    }

    /** As during a flood or a shutdown. The next request asks again. */
    @Test
    void query_thatTheThreadsReject_failsForAllThatShareIt() {
        PageCache cache = cache(MINUTE, () -> PET);
        Executor usual = Infrastructure.getDefaultExecutor();
        ScheduledThreadPoolExecutor full = new ScheduledThreadPoolExecutor(1);
        full.shutdown();
        Infrastructure.setDefaultExecutor(full);
        try {
            assertUnavailable(cache.find(PLACE, VERSION));
        } finally {
            Infrastructure.setDefaultExecutor(usual);
        }

        assertEquals(
                PET, cache.find(PLACE, VERSION).orTimeout(1, TimeUnit.MINUTES).join());
    }

    /** A failure that says so of itself is recorded by nobody else, however many requests get it. */
    @Test
    void query_ofManyAtOnceThatFindsNoServer_isOneRecordedFailure() {
        CountDownLatch asked = new CountDownLatch(1);
        PageCache cache = cache(MINUTE, () -> {
            assertDoesNotThrow(() -> asked.await());
            throw new IllegalStateException(new SQLException("away", "08006"));
        });

        List<CompletableFuture<ListPage>> shared =
                Stream.generate(() -> cache.find(PLACE, VERSION)).limit(PAGE).toList();
        asked.countDown();

        shared.forEach(PageCacheTest::assertUnavailable);
        assertEquals(1, queries());
    }

    @Test
    void query_thatEndsInAnError_failsWithIt() {
        PageCache cache = cache(MINUTE, () -> {
            throw new StackOverflowError();
        });

        CompletableFuture<ListPage> page = cache.find(PLACE, VERSION).orTimeout(1, TimeUnit.MINUTES);

        assertInstanceOf(
                StackOverflowError.class,
                assertThrows(CompletionException.class, page::join).getCause());
    }

    private static void assertUnavailable(CompletableFuture<ListPage> page) {
        Throwable failure = assertThrows(
                        CompletionException.class,
                        () -> page.orTimeout(1, TimeUnit.MINUTES).join())
                .getCause();
        assertEquals(
                ErrorCode.SERVICE_UNAVAILABLE,
                assertInstanceOf(ApiException.class, failure).code());
    }

    private double queries() {
        return metrics.counter("animalstore.catalogue.pages", "source", "database")
                .count();
    }

    private double keptBytes() {
        return metrics.get("animalstore.catalogue.memory").gauge().value();
    }

    private static Place place(int limit) {
        return new Place(null, null, PageRequest.of("/v1/pets", new Limit(limit), null, Map.of()));
    }

    private PageCache cache(Duration cacheTime, Supplier<ListPage> query) {
        PageCache.Config config = new Settings(cacheTime, new MemorySize(BigInteger.valueOf(MEMORY_BYTES)));
        return new PageCache(config, new DatabaseBreaker(database, executor), metrics, time) {
            @Override
            ListPage load(Place place) {
                return query.get();
            }
        };
    }

    private record Settings(Duration cacheTime, MemorySize cacheSize) implements PageCache.Config {}
}
