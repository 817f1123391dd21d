package dev.animalstore.operator;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.metering.key.ApiKey;
import dev.animalstore.operator.KeySearch.State;
import dev.animalstore.outage.Bulkhead;
import dev.animalstore.outage.DatabaseBreaker;
import io.quarkus.agroal.DataSource;
import io.quarkus.hibernate.orm.panache.Panache;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.persistence.QueryTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.hibernate.Session;

/**
 * Runs what may read all usage or all keys, one report at a time, on a thread of its own. One of the connections is for it
 * (docs/scale.md), so customers wait neither for a thread nor for a connection. Each statement of a report may take {@value #SECONDS} s.
 */
@Singleton
public final class ReportQueue {
    private static final int SECONDS = 20;

    /** PostgreSQL ends a statement before the service gives up. */
    private static final int SOCKET_MILLIS =
            (int) Duration.ofSeconds(SECONDS + 1).toMillis();

    /** Longer than the statements of a report may take together. */
    private static final int TRANSACTION_SECONDS = 200;

    /** Those that wait hold no thread. */
    private static final int MAXIMUM_WAITING = 20;

    private static final String LIMIT = "select set_config('statement_timeout', '" + SECONDS + "s', true)";

    /** Before the first repetition; the second one waits twice as long. PostgreSQL may restart or fail over meanwhile. */
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private static final int MAXIMUM_RETRIES = 2;

    private final ExecutorService executor = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAXIMUM_WAITING),
            run -> new Thread(run, "reports"),
            (run, full) -> reject());

    private final Bulkhead searches;

    ReportQueue(@DataSource("metering") DatabaseBreaker database, Ticker ticker) {
        searches = new Bulkhead("searches for keys", 1, database, ticker);
    }

    private static void reject() {
        throw new RejectedExecutionException("Too many reports wait");
    }

    void end(@Observes ShutdownEvent shutdown) {
        executor.shutdown();
    }

    /**
     * The result of a report, which runs in a transaction, once those before it have ended.
     *
     * @return fails with {@link RejectedExecutionException}, which is an outage, if too many reports wait
     */
    public <T> Uni<T> run(Supplier<T> report) {
        return Uni.createFrom()
                .item(() -> QuarkusTransaction.requiringNew()
                        .timeout(TRANSACTION_SECONDS)
                        .call(() -> limited(report)))
                .runSubscriptionOn(executor);
    }

    /**
     * A listing of the keys of a search. It is a report only if many keys may have to be read for one that matches, or if a statement of it takes
     * longer than others may.
     */
    public <T> Uni<T> search(KeySearch search, Supplier<T> listing) {
        return search.state() == State.BANNED
                ? run(listing)
                : Uni.createFrom()
                        .completionStage(() -> searches.run(
                                () -> QuarkusTransaction.requiringNew().call(listing::get)))
                        .onFailure(QueryTimeoutException.class)
                        .recoverWithUni(() -> run(listing));
    }

    /** As {@link #run}, but a report that fails is run again, at most twice, after about 2 and 4 seconds. */
    public <T> Uni<T> runPatiently(Supplier<T> report) {
        return run(report).onFailure().retry().withBackOff(PAUSE).atMost(MAXIMUM_RETRIES);
    }

    /** The limit of the statement ends with the transaction, that of the socket would stay with the connection. */
    private static <T> T limited(Supplier<T> report) {
        Session session = Panache.getSession(ApiKey.class);
        session.createNativeQuery(LIMIT, String.class).getSingleResult();
        int usual = session.doReturningWork(connection -> setTimeout(connection, SOCKET_MILLIS));
        try {
            return report.get();
        } finally {
            session.doWork(connection -> setTimeout(connection, usual));
        }
    }

    /** Returns the timeout before. */
    private static int setTimeout(Connection connection, int millis) throws SQLException {
        int before = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, millis);
        return before;
    }
}
