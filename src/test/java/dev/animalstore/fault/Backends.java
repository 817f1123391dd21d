package dev.animalstore.fault;

import dev.animalstore.process.PostgresProcess;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Counts the processes that PostgreSQL runs for the service, including those of connections that the service has given up. While a server
 * does not respond, it is not counted.
 */
final class Backends implements AutoCloseable {
    private static final int EVERY_MILLIS = 20;

    private static final String COUNT = """
            select count(*) from pg_stat_activity
            where application_name = 'PostgreSQL JDBC Driver' and backend_type = 'client backend'""";

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final PostgresProcess server;
    private final Future<?> counting;
    private Connection connection;
    private volatile int most;

    /** Starts counting. */
    Backends(PostgresProcess server) {
        this.server = server;
        counting = clock.scheduleWithFixedDelay(this::count, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** The largest count so far. */
    int most() {
        return most;
    }

    @Override
    public void close() {
        counting.cancel(false);
        clock.execute(this::disconnect);
        clock.shutdown();
    }

    private void count() {
        try {
            if (connection == null) {
                connection = server.connect();
                connection.setClientInfo("ApplicationName", "backends");
            }
            try (var statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(COUNT)) {
                rows.next();
                most = Math.max(most, rows.getInt(1));
            }
        } catch (SQLException away) {
            disconnect();
        }
    }

    private void disconnect() {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException alreadyClosed) {
            // The connection is closed already.
        }
        connection = null;
    }
}
