package dev.animalstore.database;

import dev.animalstore.outage.CircuitBreaker;
import io.quarkus.hibernate.orm.PersistenceUnitExtension;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.inject.Default;
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
import org.hibernate.resource.jdbc.spi.StatementInspector;

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
    private static final int MAXIMUM_FAILURES = 5;
    private static final long PROBE_EVERY_MILLIS = 250;

    private final transient CircuitBreaker breaker =
            new CircuitBreaker("PostgreSQL", "requests that need it get 503 at once", MAXIMUM_FAILURES);
    private final transient AtomicBoolean probing = new AtomicBoolean();

    /** One thread, which ends when there is nothing to probe. */
    private final transient ThreadPoolExecutor prober = new ThreadPoolExecutor(
            0,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            run -> new Thread(run, "database-probe"),
            new ThreadPoolExecutor.DiscardPolicy());

    private final transient Executor later =
            CompletableFuture.delayedExecutor(PROBE_EVERY_MILLIS, TimeUnit.MILLISECONDS, prober);
    private final transient DataSource database;

    DatabaseBreaker(DataSource database) {
        this.database = database;
    }

    /** @throws DatabaseUnavailableException while the database is known to fail */
    @Override
    public String inspect(String sql) {
        if (breaker.isOpen()) {
            throw new DatabaseUnavailableException();
        }
        return sql;
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
