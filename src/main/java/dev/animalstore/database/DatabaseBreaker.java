package dev.animalstore.database;

import dev.animalstore.outage.CircuitBreaker;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * Refuses at once what needs the database while it is known to fail: otherwise every request would hold a thread until it has found out by
 * itself, and those that wait for a thread would be answered late.
 *
 * <p>A failure begins a series of probes, by a thread of their own, until one is answered. So a healthy database is never asked, and
 * failures that were only those of some connections do not add up.
 */
@Singleton
public final class DatabaseBreaker {
    private static final int MAXIMUM_FAILURES = 5;
    private static final long PROBE_EVERY_MILLIS = 250;

    private final CircuitBreaker breaker =
            new CircuitBreaker("PostgreSQL", "what needs it is answered 503 at once", MAXIMUM_FAILURES);
    private final AtomicBoolean probing = new AtomicBoolean();

    /** One thread, which ends when there is nothing to ask. */
    private final ThreadPoolExecutor prober = new ThreadPoolExecutor(
            0,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            run -> new Thread(run, "database-probe"),
            new ThreadPoolExecutor.DiscardPolicy());

    private final Executor later = CompletableFuture.delayedExecutor(PROBE_EVERY_MILLIS, TimeUnit.MILLISECONDS, prober);
    private final DataSource database;

    DatabaseBreaker(DataSource database) {
        this.database = database;
    }

    /**
     * Lets a statement be run.
     *
     * @throws DatabaseUnavailableException while the database is known to fail
     */
    void requireAvailable() {
        if (breaker.isOpen()) {
            throw new DatabaseUnavailableException();
        }
    }

    /** Takes note of a request that failed, be it at a statement or at the commit, if that says something of the database. */
    public void recordFailure(Throwable failure) {
        DatabaseOutage.findServerFailure(failure).ifPresent(this::fail);
    }

    private void fail(SQLException outage) {
        breaker.fail(outage);
        if (probing.compareAndSet(false, true)) {
            prober.execute(this::probe);
        }
    }

    private void probe() {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("select 1");
        } catch (SQLException | RuntimeException away) {
            later.execute(this::probe);
            return;
        }
        // In this order, so that a failure in between is followed by a probe.
        probing.set(false);
        breaker.close();
    }

    @PreDestroy
    void stop() {
        prober.shutdownNow();
    }
}
