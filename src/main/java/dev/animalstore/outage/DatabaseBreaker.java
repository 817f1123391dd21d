package dev.animalstore.outage;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalDataSource.FlushMode;
import io.agroal.api.configuration.AgroalConnectionPoolConfiguration;
import io.quarkus.logging.Log;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hibernate.JDBCException;

/**
 * Knows that the database of a datasource fails. A {@link Bulkhead} asks it before its work waits for a connection, since every request would
 * otherwise hold a worker thread until its own timeout, and delay the requests that wait for a thread.
 *
 * <p>A failure starts a series of probes, which ends when one succeeds. So a healthy database is never probed, and
 * failures of single connections do not add up.
 */
public final class DatabaseBreaker {
    private static final int MAXIMUM_FAILURES = 5;
    private static final long PROBE_EVERY_MILLIS = 250;

    /** As long as the manifests let a JVM start. */
    private static final Duration FIRST_CONNECTION = Duration.ofMinutes(1);

    /**
     * The SQL states that concern the server and not the statement, by the PostgreSQL manual, appendix "PostgreSQL Error Codes": such a failure
     * passes by itself, or once an operator has fixed the server. Their classes are connection exception, invalid transaction state (the
     * server is read-only, or has ended the transaction of a frozen replica), log-in refused, no such database or schema, transaction rollback
     * (deadlock), insufficient resources, object not in prerequisite state (locked, or closed to log-ins), operator intervention and system error.
     * A right (42501), type (42704) or table (42P01, see {@link #hasState}) that a statement lacks is being restored, as is a table that has changed since the statement
     * was prepared (0A000). The other states of class 42, such as an unknown column, and a violated constraint are defects of the statement.
     *
     * <p>The service repeats none itself. PostgreSQL asks to repeat a rollback, but each transaction is read committed and waits for one row at most,
     * or for rows in one order, so that it is never rolled back for another of the service.
     */
    private static final Pattern OUTAGES =
            Pattern.compile("(?:08|25|28|3D|3F|40|53|55|57|58).{3}|0A000|42501|42704|42P01");

    /** Those that end one statement while the server runs others: its disk is full, or the statement took too long, for example. */
    private static final Pattern PARTIAL = Pattern.compile("(?:25|3F|40|42|55).{3}|0A000|53100|57014");

    /** How Hibernate reports that no connection could be opened. That is an outage whatever its SQL state. */
    private static final String NO_CONNECTION = "Unable to acquire JDBC Connection";

    private static final int MAXIMUM_CAUSES = 100;

    private final CircuitBreaker breaker =
            new CircuitBreaker("PostgreSQL", "requests that need it get 503 at once", MAXIMUM_FAILURES);
    private final AtomicBoolean probing = new AtomicBoolean();
    private final AgroalDataSource database;
    private final ScheduledExecutorService executor;

    /** @param database {@code null} if there is none, which never fails */
    public DatabaseBreaker(AgroalDataSource database, ScheduledExecutorService executor) {
        this.database = database;
        this.executor = executor;
    }

    /** Opens its first connection, as {@link #open(AgroalDataSource)}. */
    public void open() throws SQLException {
        if (database != null) {
            open(database);
        }
    }

    /**
     * Opens the first connection of a pool. That may take a process with little processor time longer than a request waits for one; a server
     * that refuses it or is silent ends it within seconds.
     */
    public static void open(AgroalDataSource pool) throws SQLException {
        AgroalConnectionPoolConfiguration settings = pool.getConfiguration().connectionPoolConfiguration();
        Duration ofRequests = settings.acquisitionTimeout();
        settings.setAcquisitionTimeout(FIRST_CONNECTION);
        try {
            pool.getConnection().close();
        } finally {
            settings.setAcquisitionTimeout(ofRequests);
        }
    }

    /** Whether the database is known to fail. */
    boolean isOpen() {
        return breaker.isOpen();
    }

    static RejectedExecutionException rejection() {
        return new RejectedExecutionException("The database is known to be unavailable");
    }

    /**
     * Whether PostgreSQL has failed a statement with a state. {@code 42P01}, a table that is not there, is an outage for tables of the engine only,
     * and otherwise a defect: whoever runs the statements of others asks first.
     */
    public static boolean hasState(Throwable failure, String state) {
        return causes(failure).anyMatch(cause -> state(cause).equals(state));
    }

    /** Whether a failure means that the database is temporarily unavailable; otherwise it is a defect. */
    public boolean isOutage(Throwable failure) {
        return outages(failure).findAny().isPresent();
    }

    /**
     * Records an outage, and logs it without a stack trace, since an outage causes thousands of failures. Ignores any other failure. A rejection
     * is not logged here, since it says nothing about the database.
     */
    public void record(Throwable failure) {
        if (!breaker.isOpen()) {
            outages(failure)
                    .findFirst()
                    .filter(outage -> !(outage instanceof RejectedExecutionException))
                    .ifPresent(outage -> Log.warnf("The database is unavailable: %s", outage.getMessage()));
        }
        outages(failure)
                .filter(outage -> database != null && isOfServer(outage))
                .findFirst()
                .ifPresent(outage -> {
                    breaker.fail(outage);
                    if (probing.compareAndSet(false, true)) {
                        executor.execute(this::probe);
                    }
                });
    }

    private static Stream<Throwable> outages(Throwable failure) {
        return causes(failure)
                .filter(cause -> cause instanceof RejectedExecutionException
                        || isWithoutConnection(cause)
                        || OUTAGES.matcher(state(cause)).matches());
    }

    /** The causes of a failure, itself and suppressed exceptions included: a failed commit has its reason there. They may form a circle. */
    public static Stream<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>(List.of(failure));
        for (int i = 0; i < causes.size() && i < MAXIMUM_CAUSES; i++) {
            Stream.ofNullable(causes.get(i).getCause()).forEach(causes::add);
            causes.addAll(List.of(causes.get(i).getSuppressed()));
        }
        return causes.stream();
    }

    private static boolean isWithoutConnection(Throwable cause) {
        return cause instanceof JDBCException && cause.getMessage().startsWith(NO_CONNECTION);
    }

    /** Whether an outage is one of the whole server. A rejection by the breaker or a thread pool of this service says nothing about the server. */
    private static boolean isOfServer(Throwable outage) {
        return isWithoutConnection(outage)
                || (outage instanceof SQLException
                        && !PARTIAL.matcher(state(outage)).matches());
    }

    /** The state of an exception of SQL, otherwise empty. One of the pool has none, and says that there is no connection. */
    private static String state(Throwable cause) {
        return cause instanceof SQLException sql ? Objects.requireNonNullElse(sql.getSQLState(), "08000") : "";
    }

    private void probe() {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("select 1");
        } catch (SQLException | RuntimeException | Error unavailable) {
            // The pool would open no connection while it finds out one by one, each within the timeout of a statement,
            // which are dead.
            database.flush(FlushMode.IDLE);
            // Whatever it was, the breaker would stay open without another probe.
            var unused = executor.schedule(this::probe, PROBE_EVERY_MILLIS, TimeUnit.MILLISECONDS);
            return;
        }
        // In this order, so that a failure in between starts a new probe.
        probing.set(false);
        breaker.close();
    }
}
