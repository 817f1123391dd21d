package dev.animalstore;

import dev.animalstore.local.LocalPostgres;
import dev.animalstore.local.LocalRedis;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;

/**
 * PostgreSQL and Redis for all tests of a JVM: started by whoever asks first, empty, and stopped when the JVM ends.
 *
 * <p>Every Quarkus test gets them, because the class is registered as a service; so does the process that an integration test launches.
 * Tests without Quarkus ask the static methods. The addresses are system properties since Quarkus loads this class in several class
 * loaders.
 */
public final class TestServers implements QuarkusTestResourceLifecycleManager {
    private static final String JDBC_URL = "test.jdbc-url";
    private static final String REDIS = "test.redis";
    private static final Path FOLDER = Path.of("target", "test-servers");

    @Override
    public Map<String, String> start() {
        return Map.of(
                "quarkus.datasource.jdbc.url",
                jdbcUrl(),
                "quarkus.datasource.username",
                LocalPostgres.USER,
                "quarkus.redis.hosts",
                redis(),
                "animalstore.keys.environment",
                "test",
                "animalstore.admin.token",
                Operator.TOKEN);
    }

    /** Does nothing: the next application of this JVM uses the same servers. */
    @Override
    public void stop() {}

    /** The JDBC URL; the user is {@link LocalPostgres#USER}. */
    public static String jdbcUrl() {
        startOnce();
        return System.getProperty(JDBC_URL);
    }

    /** A connection to the database that the tested application uses, by another name than the application's. */
    public static Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl() + "?ApplicationName=test", LocalPostgres.USER, "");
    }

    /** The file that PostgreSQL writes its log to. */
    static Path postgresLog() {
        return FOLDER.resolve("postgres").resolve("postgres.log");
    }

    /** The address in the form {@code redis://127.0.0.1:6379}. */
    public static String redis() {
        startOnce();
        return System.getProperty(REDIS);
    }

    private static synchronized void startOnce() {
        if (System.getProperty(REDIS) != null) {
            return;
        }
        try {
            String url = LocalPostgres.start(FOLDER.resolve("postgres"), false);
            empty(url);
            System.setProperty(JDBC_URL, url);
            System.setProperty(REDIS, LocalRedis.start(FOLDER.resolve("redis"), false));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void empty(String url) throws SQLException {
        try (var connection = DriverManager.getConnection(url, LocalPostgres.USER, "");
                var statement = connection.createStatement()) {
            statement.execute("drop schema public cascade; create schema public");
        }
    }
}
