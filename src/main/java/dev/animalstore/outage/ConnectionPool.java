package dev.animalstore.outage;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalDataSource.FlushMode;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Waits at the start for the pool's first connection, and opens the others in the background. They are opened one after another, so otherwise
 * the start would wait for all of them, or the first burst of requests for those that it needs.
 */
@Singleton
final class ConnectionPool {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final long RETRY_MILLIS = 100;

    /** The server is not there yet, has no connection left or is starting. The pool's own timeout has no state. */
    private static final Pattern LATE = Pattern.compile("|(?:08|53|57).{3}");

    /**
     * Runs before the observers that query the database.
     *
     * @throws SQLException if the server refuses the service, or is not available within ten seconds
     */
    void fill(@Observes @Priority(2) StartupEvent started, AgroalDataSource database)
            throws SQLException, InterruptedException {
        long begin = System.nanoTime();
        while (!isOpened(database, System.nanoTime() - begin < PATIENCE.toNanos())) {
            TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
        }
        database.flush(FlushMode.FILL);
    }

    private static boolean isOpened(AgroalDataSource database, boolean patient) throws SQLException {
        try {
            database.getConnection().close();
            return true;
        } catch (SQLException refused) {
            if (patient
                    && LATE.matcher(Objects.requireNonNullElse(refused.getSQLState(), ""))
                            .matches()) {
                return false;
            }
            throw refused;
        }
    }
}
