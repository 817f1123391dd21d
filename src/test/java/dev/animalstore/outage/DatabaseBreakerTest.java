package dev.animalstore.outage;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Independent;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.local.LocalPostgres;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.hibernate.JDBCException;
import org.hibernate.engine.jdbc.spi.SqlExceptionHelper;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The failures that open the breaker of the database, and how long it stays open. */
@Independent
class DatabaseBreakerTest {
    private static final int ENOUGH = 5;

    private final AtomicInteger connections = new AtomicInteger();
    private volatile boolean away = true;
    private volatile Error defect;

    private final AgroalDataSource server = fake(AgroalDataSource.class, this::connect);

    @AutoClose("shutdownNow")
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

    private final DatabaseBreaker breaker = new DatabaseBreaker(server, executor);

    /** Also as the cause of another failure, and of a pool without a free connection. */
    static Stream<Throwable> outages() {
        RuntimeException failedCommit = new IllegalStateException("rolled back");
        failedCommit.addSuppressed(new CompletionException(gone()));
        return Stream.concat(
                Stream.of("08006", "28000", "28P01", "3D000", "53300", "57P01", "57P03", "58030")
                        .map(state -> new SQLException("away", state)),
                Stream.of(
                        failedCommit,
                        new SQLException("Sorry, acquisition timeout!"),
                        notOpened("42501"),
                        notOpened("22023"),
                        notOpened("XX000")));
    }

    @ParameterizedTest
    @MethodSource("outages")
    void outages_inARow_openIt(Throwable outage) {
        note(ENOUGH - 1, outage);
        assertFalse(breaker.isOpen());

        note(1, outage);
        assertTrue(breaker.isOpen());
    }

    /** A duplicate, a defect, a server that still serves reads, and others; and a full service or a refusal by the breaker itself. */
    static Stream<Throwable> otherFailures() {
        return Stream.concat(
                Stream.of(
                                "0A000", "23502", "23505", "25006", "25P03", "3F000", "40001", "42501", "42P01",
                                "53100", "55000", "55P03", "57014")
                        .map(state -> new SQLException("refused", state)),
                Stream.of(new RejectedExecutionException("full")));
    }

    @ParameterizedTest
    @MethodSource("otherFailures")
    void otherFailure_isNoFailureOfTheServer(Throwable failure) {
        note(2 * ENOUGH, failure);

        assertFalse(breaker.isOpen());
        assertEquals(0, connections.get(), "probes");
    }

    /**
     * The server is read-only, closed to log-ins or being restored, or has ended a transaction or a statement: the request gets 503 and no
     * 500.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0A000", "25006", "25P03", "28P01", "3D000", "3F000", "40001", "40P01", "42501", "42704", "42P01",
                "53100", "55000", "55P03", "57014"
            })
    void failureOfAStatementThatMayPass_isAnOutageAsIsARefusal(String state) {
        assertTrue(breaker.isOutage(new CompletionException(new SQLException("refused", state))));
        assertTrue(breaker.isOutage(new CompletionException(new RejectedExecutionException("full"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"22P02", "23502", "23505", "42601", "42703", "42883", "XX000"})
    void failureOfTheStatementItself_isADefect(String state) {
        assertFalse(breaker.isOutage(new CompletionException(new SQLException("refused", state))));
    }

    /** Whether it is one depends on whose table it is. */
    @Test
    void tableThatIsMissing_isRecognized() {
        SQLException missing = new SQLException("relation does not exist", "42P01");
        assertTrue(DatabaseBreaker.hasState(new CompletionException(missing), "42P01"));
        assertFalse(DatabaseBreaker.hasState(new CompletionException(gone()), "42P01"));
    }

    @Test
    void failure_whoseCausesFormACircle_isNoOutage() {
        IllegalStateException failure = new IllegalStateException("closed twice");
        IllegalStateException cleanUp = new IllegalStateException("closing", failure);
        failure.addSuppressed(cleanUp);
        failure.addSuppressed(cleanUp);

        assertFalse(breaker.isOutage(failure));
    }

    /** A probe that ends with an error is repeated too. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void serverThatFails_isProbedUntilItRespondsAgain(boolean withAnError) {
        defect = withAnError ? new OutOfMemoryError("on purpose") : null;
        note(ENOUGH, gone());
        Awaitility.await().until(() -> connections.get() > 2);
        assertTrue(breaker.isOpen());

        defect = null;
        away = false;
        Awaitility.await().untilAsserted(() -> assertFalse(breaker.isOpen()));
        int before = connections.get();
        note(1, gone());
        Awaitility.await().until(() -> connections.get() > before);
    }

    @Test
    void failuresOfSomeConnections_doNotAddUp() {
        away = false;
        for (int i = 0; i < 2 * ENOUGH; i++) {
            int before = connections.get();
            Awaitility.await().until(() -> {
                // No probe starts while the previous one has not quite ended.
                if (connections.get() == before) {
                    note(1, gone());
                }
                return connections.get() > before;
            });
        }

        Awaitility.await().untilAsserted(() -> assertFalse(breaker.isOpen()));
    }

    /** The server takes a second for each log-in. */
    @Test
    void firstConnection_thatTakesLongerThanRequestsWait_isOpened() throws SQLException {
        Duration ofRequests = Duration.ofMillis(100);
        var slow = new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(pool -> pool.maxSize(1)
                        .acquisitionTimeout(ofRequests)
                        .connectionFactoryConfiguration(
                                factory -> factory.jdbcUrl(TestServers.jdbcUrl() + "?options=-c%20post_auth_delay=1")
                                        .principal(new NamePrincipal(LocalPostgres.USER))
                                        .credential(new SimplePassword(""))));
        try (AgroalDataSource pool = AgroalDataSource.from(slow)) {
            DatabaseBreaker.open(pool);
            assertDoesNotThrow(() -> pool.getConnection().close());
            assertEquals(
                    ofRequests,
                    pool.getConfiguration().connectionPoolConfiguration().acquisitionTimeout());
        }
    }

    private void note(int times, Throwable failure) {
        IntStream.range(0, times).forEach(i -> breaker.record(failure));
    }

    /** As Hibernate reports that the server refuses a connection. */
    private static JDBCException notOpened(String state) {
        return new SqlExceptionHelper(false)
                .convert(new SQLException("refused", state), "Unable to acquire JDBC Connection");
    }

    private static SQLException gone() {
        return new SQLException("Connection refused", "08001");
    }

    private Connection connect() throws SQLException {
        connections.incrementAndGet();
        if (defect != null) {
            throw defect;
        }
        if (away) {
            throw gone();
        }
        return fake(Connection.class, () -> fake(Statement.class, () -> true));
    }

    /** An implementation of an interface with one result for all methods, except those that return nothing. */
    static <T> T fake(Class<T> type, Callable<?> result) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> method.getReturnType() == void.class ? null : result.call()));
    }
}
