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
 * Rejects statements at once while the database is known to fail. Otherwise every request would hold a worker thread until its own timeout,
 * and delay the requests that wait for a thread.
 *
 * <p>A failure starts a series of probes on a separate thread, which ends when one succeeds. So a healthy database is never probed, and
 * failures of single connections do not add up.
 */
@Singleton
public final class DatabaseBreaker {
    private static final int MAXIMUM_FAILURES = 5;
    private static final long PROBE_EVERY_MILLIS = 250;

    private final CircuitBreaker breaker =
            new CircuitBreaker("PostgreSQL", "requests that need it get 503 at once", MAXIMUM_FAILURES);
    private final AtomicBoolean probing = new AtomicBoolean();

    /** One thread, which ends when there is nothing to probe. */
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
     * Checks that a statement may run.
     *
     * @throws DatabaseUnavailableException while the database is known to fail
     */
    void requireAvailable() {
        if (breaker.isOpen()) {
            throw new DatabaseUnavailableException();
        }
    }

    /** Records a failed statement or commit, if its cause is an outage of the server. */
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
        } catch (SQLException | RuntimeException | Error unavailable) {
            // Whatever it was, the breaker would stay open without another probe.
            later.execute(this::probe);
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
