package dev.animalstore.operator;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.hasSize;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.Patience;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.metering.key.ApiKey;
import io.agroal.api.AgroalDataSource;
import io.quarkus.agroal.DataSource;
import io.quarkus.hibernate.orm.panache.Panache;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Reports run one at a time, take longer than customers' statements may, and delay no customer. */
@QuarkusTest
class ReportQueueTest {
    private static final int WITH_ROOM = 21;
    private static final int MORE = 4;

    /** Of statements that have waited for longer than customers' statements may take. */
    private static final String WAITING = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
            + " and query like '%%%s%%' and query_start < clock_timestamp() - interval '1 second'";

    @Inject
    ReportQueue reports;

    @Inject
    @DataSource("metering")
    AgroalDataSource database;

    @Test
    void reports_thatTakeLong_waitForOneAnotherWithoutDelayingCustomers() {
        ExecutorService clients = Executors.newFixedThreadPool(WITH_ROOM + MORE);
        List<CompletableFuture<Response>> responses = new ArrayList<>();
        TestDatabase.during("lock table usage_day in access exclusive mode", () -> {
            for (int i = 0; i < WITH_ROOM + MORE; i++) {
                responses.add(CompletableFuture.supplyAsync(ReportQueueTest::usage, clients));
            }
            Awaitility.await()
                    .until(() -> TestDatabase.number(WAITING.formatted("usage_day")) == 1
                            && ended(responses).count() == MORE);
            TestKey.of("free").list().statusCode(200);
            search("nobody").then().statusCode(200).body("", hasSize(0));
            ended(responses).forEach(response -> response.then().statusCode(503).header("Retry-After", "2"));
            assertEquals(
                    "Too many reports wait",
                    assertThrows(
                                    RejectedExecutionException.class,
                                    () -> reports.run(() -> "").await().atMost(Patience.LIMIT))
                            .getMessage());
        });
        assertEquals(
                WITH_ROOM,
                responses.stream()
                        .filter(response -> response.join().statusCode() == 200)
                        .count());
        clients.shutdown();
    }

    @Test
    void search_withAStatementThatTakesLong_isAReport() {
        String owner = "searched-" + UUID.randomUUID();
        Operator.issue("{\"owner\":\"" + owner + "\",\"plan\":\"free\"}");
        AtomicReference<CompletableFuture<Response>> response = new AtomicReference<>();
        TestDatabase.during("lock table api_key in access exclusive mode", () -> {
            response.set(CompletableFuture.supplyAsync(() -> search(owner)));
            Awaitility.await().until(() -> TestDatabase.number(WAITING.formatted("from metering.api_key")) == 1);
        });
        response.get().join().then().statusCode(200).body("owner", contains(owner));
    }

    private static Response search(String owner) {
        return Operator.given().queryParam("owner", owner).get("/admin/keys");
    }

    private static Stream<Response> ended(List<CompletableFuture<Response>> responses) {
        return responses.stream().filter(CompletableFuture::isDone).map(CompletableFuture::join);
    }

    private static Response usage() {
        return Operator.given().get("/admin/usage");
    }

    /** PostgreSQL ends the connection of the first run, as it does when it is restarted. */
    @Test
    void patientReport_whoseConnectionEnds_isRunAgain() {
        AtomicInteger runs = new AtomicInteger();
        String ended = reports.runPatiently(() -> {
                    String end = runs.incrementAndGet() == 1 ? "pg_terminate_backend(pg_backend_pid())" : "'no'";
                    return Panache.getSession(ApiKey.class)
                            .createNativeQuery("select cast(" + end + " as text)", String.class)
                            .getSingleResult();
                })
                .await()
                .atMost(Patience.LIMIT);
        assertEquals("no after 2", ended + " after " + runs);
    }

    @Test
    void patientReport_thatKeepsFailing_isRunThreeTimes() {
        AtomicInteger runs = new AtomicInteger();
        Uni<Object> report = reports.runPatiently(() -> {
            runs.incrementAndGet();
            throw new RejectedExecutionException("The database is known to be unavailable");
        });
        assertThrows(RejectedExecutionException.class, () -> report.await().atMost(Patience.LIMIT));
        assertEquals(3, runs.get());
    }

    @Test
    void connection_ofAReport_hasItsTimeoutsOnlyMeanwhile() throws Exception {
        List<Object> limits = reports.run(() -> Panache.getSession(ApiKey.class)
                        .doReturningWork(
                                connection -> List.<Object>of(connection.getNetworkTimeout(), timeout(connection))))
                .await()
                .atMost(Patience.LIMIT);

        assertEquals(List.of(21_000, "20s"), limits);
        List<Connection> all = new ArrayList<>();
        try {
            while (all.size()
                    < database.getConfiguration().connectionPoolConfiguration().maxSize()) {
                all.add(database.getConnection());
            }
            for (Connection connection : all) {
                assertEquals(1000, connection.getNetworkTimeout());
                assertEquals("750ms", timeout(connection));
            }
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
        assertTrue(all.size() > 1);
    }

    private static String timeout(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            return TestDatabase.column(statement, "show statement_timeout").get(0);
        }
    }
}
