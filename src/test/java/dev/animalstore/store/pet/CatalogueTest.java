package dev.animalstore.store.pet;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.animalstore.fixture.MovedTicker;
import dev.animalstore.fixture.Statements;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.outage.DatabaseBreaker;
import dev.animalstore.store.pet.CataloguePage.Place;
import dev.animalstore.store.pet.CatalogueVersion.Version;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import dev.animalstore.web.page.PageRequest;
import dev.animalstore.web.page.PageRequest.Limit;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.inject.Inject;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;

/** How a page of a large catalogue is read, by an index only and no further than the page, and what its readers get if that fails. */
@QuarkusTest
class CatalogueTest {
    private static final int PETS = 20_000;
    private static final int PAGE = 20;

    private static final int MEMORY_BYTES = 100_000;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Place PLACE = place(PAGE);
    private static final CataloguePage PET = new CataloguePage(new byte[2], null, "\"a\"");
    private static final Version VERSION = new Version("a", "a period");

    private final TestKey key = TestKey.unlimited();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

    private final MovedTicker time = new MovedTicker();

    @Inject
    DatabaseBreaker database;

    @ParameterizedTest
    @NullSource
    @EnumSource
    void page_fromTheMiddle_readsTheIndexOfItsStatusOrThePrimaryKey(PetStatus status) throws Exception {
        String index = status == null ? "pet_pkey" : "pet_" + status.value;
        String filter = status == null ? "" : "&status=" + status.value;
        String list = "/v1/pets?limit=" + (PAGE - 1) + filter;
        String sql = Statements.around(
                        "from pet ", () -> key.given().get(list).then().statusCode(200))
                .stream()
                .filter(statement -> statement.contains(" from pet "))
                .findFirst()
                .orElseThrow();
        try (Connection connection = TestServers.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(
                    "insert into pet (name, category_id, status) select 'Many', n, (array['available', 'pending', 'sold'])"
                            + "[1 + n % 3] from generate_series(1, " + PETS + ") n");
            statement.execute("analyze pet");
            statement.execute("prepare page (bigint, int, int) as " + sql);
            String middle = TestDatabase.column(statement, "select max(id) - " + PETS / 2 + " from pet")
                    .get(0);
            String explain = "explain (analyze, format json) execute page (" + middle + ", 0, " + PAGE + ")";
            String plan = String.join("\n", TestDatabase.column(statement, explain));
            connection.rollback();

            JsonNode limit = new ObjectMapper().readTree(plan).at("/0/Plan");
            assertEquals("Limit", limit.at("/Node Type").textValue(), plan);
            JsonNode scan = limit.at("/Plans/0");
            assertEquals("Index Scan", scan.at("/Node Type").textValue(), plan);
            assertEquals(index, scan.at("/Index Name").textValue(), plan);
            assertEquals(PAGE, scan.at("/Actual Rows").asInt(), plan);
            assertTrue(scan.at("/Filter").isMissingNode(), plan);
        }
    }

    @Test
    void memory_ofManyPages_isBounded() {
        Catalogue catalogue = catalogue(MINUTE, () -> new CataloguePage(new byte[9000], null, "\"a\""));
        for (int limit = 1; limit <= Limit.MAXIMUM; limit++) {
            catalogue.find(place(limit), VERSION).join();
        }

        Awaitility.await().until(() -> keptBytes() > 0 && keptBytes() <= MEMORY_BYTES);
    }

    @Test
    void memory_thatIsSwitchedOff_keepsNothing() {
        Catalogue catalogue = catalogue(Duration.ZERO, () -> PET);
        catalogue.find(PLACE, VERSION).join();
        catalogue.find(PLACE, VERSION).join();

        assertEquals(2, queries());
        assertEquals(0, keptBytes());
    }

    /** What other systems write is seen after twice the cache time, on pages that nobody asks for too. */
    @Test
    void page_afterTheCacheTime_isServedAndQueriedInTheBackgroundAndAfterTwiceIsQueriedFirst() {
        AtomicInteger number = new AtomicInteger();
        Catalogue catalogue =
                catalogue(MINUTE, () -> new CataloguePage(new byte[number.incrementAndGet()], null, "\"a\""));
        assertEquals(1, length(catalogue));
        time.move(MINUTE);
        assertEquals(1, length(catalogue));
        Awaitility.await().until(() -> length(catalogue) == 2);
        assertEquals(2, queries());
        time.move(MINUTE.multipliedBy(2));
        assertEquals(3, length(catalogue));
    }

    @Test
    void page_withoutTheDatabase_isServedHoweverOldItIs() {
        AtomicInteger number = new AtomicInteger();
        Catalogue catalogue = catalogue(MINUTE, () -> {
            if (number.incrementAndGet() > 1) {
                throw new IllegalStateException(new SQLException("unavailable", "57P01"));
            }
            return PET;
        });
        for (int i = 0; i < 5; i++) {
            assertEquals(PET, catalogue.find(PLACE, VERSION).join());
            time.move(MINUTE);
        }
        assertUnavailable(catalogue.find(PLACE, new Version("a", "another period")));
        assertUnavailable(catalogue.find(PLACE, null));
    }

    /** Of a database that hangs. */
    @Test
    void page_whoseQueryFailsAfterTwiceTheCacheTime_isServedOn() {
        CountDownLatch mayFail = new CountDownLatch(1);
        AtomicInteger number = new AtomicInteger();
        Catalogue catalogue = catalogue(MINUTE, () -> {
            if (number.incrementAndGet() > 1) {
                assertDoesNotThrow(() -> mayFail.await());
                throw new IllegalStateException(new SQLException("timeout", "57014"));
            }
            return PET;
        });
        assertEquals(PET, catalogue.find(PLACE, VERSION).join());
        List<CompletableFuture<CataloguePage>> late = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            time.move(MINUTE.multipliedBy(2));
            late.add(catalogue.find(PLACE, VERSION));
        }
        mayFail.countDown();
        late.forEach(page -> assertEquals(PET, page.join()));
        assertEquals(PET, catalogue.find(PLACE, VERSION).join());
    }

    @Test
    void requests_whileTheVersionIsUnknown_shareTheQueryThatBeginsNext() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger number = new AtomicInteger();
        Catalogue catalogue = catalogue(MINUTE, () -> {
            assertDoesNotThrow(() -> mayEnd.await());
            return new CataloguePage(new byte[number.incrementAndGet()], null, "\"a\"");
        });
        CompletableFuture<CataloguePage> first = catalogue.find(PLACE, null);
        List<CompletableFuture<CataloguePage>> others =
                Stream.generate(() -> catalogue.find(PLACE, null)).limit(PAGE).toList();
        mayEnd.countDown();
        assertEquals(1, first.join().body().length);
        others.forEach(other -> assertEquals(2, other.join().body().length));
        assertEquals(2, queries());
        assertEquals(0, keptBytes());
    }

    private static int length(Catalogue catalogue) {
        return catalogue.find(PLACE, VERSION).join().body().length;
    }

    /** As during a flood or a shutdown. The next request asks again. */
    @Test
    void query_thatTheThreadsReject_failsForAllThatShareIt() {
        Catalogue catalogue = catalogue(MINUTE, () -> PET);
        Executor usual = Infrastructure.getDefaultExecutor();
        ScheduledThreadPoolExecutor full = new ScheduledThreadPoolExecutor(1);
        full.shutdown();
        Infrastructure.setDefaultExecutor(full);
        try {
            assertUnavailable(catalogue.find(PLACE, VERSION));
        } finally {
            Infrastructure.setDefaultExecutor(usual);
        }

        assertEquals(
                PET,
                catalogue.find(PLACE, VERSION).orTimeout(1, TimeUnit.MINUTES).join());
    }

    /** A failure that says so of itself is recorded by nobody else, however many requests get it. */
    @Test
    void query_ofManyAtOnceThatFindsNoServer_isOneRecordedFailure() {
        CountDownLatch asked = new CountDownLatch(1);
        Catalogue catalogue = catalogue(MINUTE, () -> {
            assertDoesNotThrow(() -> asked.await());
            throw new IllegalStateException(new SQLException("away", "08006"));
        });

        List<CompletableFuture<CataloguePage>> shared = Stream.generate(() -> catalogue.find(PLACE, VERSION))
                .limit(PAGE)
                .toList();
        asked.countDown();

        shared.forEach(CatalogueTest::assertUnavailable);
        assertEquals(1, queries());
    }

    @Test
    void query_thatEndsInAnError_failsWithIt() {
        Catalogue catalogue = catalogue(MINUTE, () -> {
            throw new StackOverflowError();
        });

        CompletableFuture<CataloguePage> page = catalogue.find(PLACE, VERSION).orTimeout(1, TimeUnit.MINUTES);

        assertInstanceOf(
                StackOverflowError.class,
                assertThrows(CompletionException.class, page::join).getCause());
    }

    private static void assertUnavailable(CompletableFuture<CataloguePage> page) {
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
        return new Place(null, PageRequest.of("/v1/pets", new Limit(limit), null, Map.of()));
    }

    private Catalogue catalogue(Duration cacheTime, Supplier<CataloguePage> query) {
        Catalogue.Config config = new Settings(cacheTime, new MemorySize(BigInteger.valueOf(MEMORY_BYTES)));
        CataloguePage.Reader reader = new CataloguePage.Reader() {
            @Override
            CataloguePage read(Place place) {
                return query.get();
            }
        };
        return new Catalogue(config, reader, database, metrics, time);
    }

    private record Settings(Duration cacheTime, MemorySize cacheSize) implements Catalogue.Config {}
}
