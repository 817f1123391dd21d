package dev.animalstore.outage;

import io.quarkus.hibernate.orm.PersistenceUnitExtension;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.inject.Default;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.hibernate.resource.jdbc.spi.StatementInspector;
import org.jboss.logging.Logger;

/**
 * Rejects every statement of Hibernate, before it waits for a connection, while the database is known to fail. Otherwise every request would
 * hold a worker thread until its own timeout, and delay the requests that wait for a thread.
 *
 * <p>A failure starts a series of probes on a separate thread, which ends when one succeeds. So a healthy database is never probed, and
 * failures of single connections do not add up.
 */
@Default
@PersistenceUnitExtension
@Singleton
public final class DatabaseBreaker implements StatementInspector {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = Logger.getLogger(DatabaseBreaker.class);
    private static final int MAXIMUM_FAILURES = 5;
    private static final long PROBE_EVERY_MILLIS = 250;

    /**
     * SQL states that concern the server and not the statement, by the PostgreSQL manual, appendix "PostgreSQL Error Codes": the classes
     * connection exception, insufficient resources, operator intervention (shutdown, cancelled, recovering) and system error; the server is
     * read-only, as a standby is before its promotion; and it has ended the transaction of a replica that was frozen.
     */
    private static final Pattern OUTAGES = Pattern.compile("(?:08|53|57|58).{3}|25006|25P03");

    /** Those that end one statement while the server runs others: its disk is full, or the statement took too long, for example. */
    private static final Pattern PARTIAL = Pattern.compile("25006|25P03|53100|57014");

    private final transient CircuitBreaker breaker =
            new CircuitBreaker("PostgreSQL", "requests that need it get 503 at once", MAXIMUM_FAILURES);
    private final transient AtomicBoolean probing = new AtomicBoolean();
    private final transient ScheduledExecutorService prober =
            Executors.newSingleThreadScheduledExecutor(run -> new Thread(run, "database-probe"));
    private final transient DataSource database;

    DatabaseBreaker(DataSource database) {
        this.database = database;
    }

    /** @throws RejectedExecutionException while the database is known to fail */
    @Override
    public String inspect(String sql) {
        if (breaker.isOpen()) {
            throw new RejectedExecutionException("The database is known to be unavailable");
        }
        return sql;
    }

    /**
     * Records why a statement or a commit failed, and logs it without a stack trace, since an outage causes thousands of failures.
     *
     * @return whether the database is temporarily unavailable; otherwise the failure is a defect
     */
    public boolean recordOutage(Throwable failure) {
        List<Throwable> outages =
                causes(failure).filter(DatabaseBreaker::isOutage).toList();
        if (outages.isEmpty()) {
            return false;
        }
        if (!breaker.isOpen()) {
            LOG.warnf("The database is unavailable: %s", outages.get(0).getMessage());
        }
        outages.stream().filter(DatabaseBreaker::isOfServer).findFirst().ifPresent(outage -> {
            breaker.fail(outage);
            if (probing.compareAndSet(false, true)) {
                prober.execute(this::probe);
            }
        });
        return true;
    }

    /** All causes of a failure, itself and suppressed exceptions included: a failed commit has its reason there. */
    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .limit(20)
                .flatMap(cause -> Stream.concat(
                        Stream.of(cause), Arrays.stream(cause.getSuppressed()).flatMap(DatabaseBreaker::causes)));
    }

    private static boolean isOutage(Throwable cause) {
        return cause instanceof RejectedExecutionException
                || OUTAGES.matcher(state(cause)).matches();
    }

    /** Whether an outage is one of the whole server. A rejection by the breaker or a thread pool of this service says nothing about the server. */
    private static boolean isOfServer(Throwable outage) {
        return outage instanceof SQLException && !PARTIAL.matcher(state(outage)).matches();
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
            // Whatever it was, the breaker would stay open without another probe.
            var unused = prober.schedule(this::probe, PROBE_EVERY_MILLIS, TimeUnit.MILLISECONDS);
            return;
        }
        // In this order, so that a failure in between starts a new probe.
        probing.set(false);
        breaker.close();
    }

    @PreDestroy
    void stop() {
        prober.shutdownNow();
    }
}
