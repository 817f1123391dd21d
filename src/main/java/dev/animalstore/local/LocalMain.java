package dev.animalstore.local;

import io.quarkus.runtime.ApplicationLifecycleManager;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.util.ExceptionUtil;
import java.io.IOException;
import java.nio.file.Path;
import org.eclipse.microprofile.config.ConfigProvider;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jboss.logging.Logger;

/**
 * Starts the application in dev mode, after starting the servers that are not configured.
 *
 * <p>A live reload runs this again in a new class loader. The addresses are system properties, so they are configured by then, and the
 * servers and their data stay.
 */
public final class LocalMain {
    private static final String JDBC_URL = "quarkus.datasource.jdbc.url";
    private static final String REDIS_HOSTS = "quarkus.redis.hosts";

    private LocalMain() {}

    public static void main(String... args) throws IOException {
        var config = ConfigProvider.getConfig();
        var folder = Path.of("target", "local");
        if (config.getConfigValue(JDBC_URL).getValue() == null) {
            publish(JDBC_URL, LocalPostgres.start(folder.resolve("postgres")));
            publish("quarkus.datasource.username", LocalPostgres.USER);
            publish(DemoData.WANTED, "true");
        }
        if (config.getConfigValue(REDIS_HOSTS).getValue() == null) {
            publish(REDIS_HOSTS, LocalRedis.start(folder.resolve("redis")));
        }
        Quarkus.run(null, LocalMain::end, args);
    }

    /** Quarkus logs a failure only if nothing else handles it. */
    private static void end(int status, Throwable failure) {
        if (failure != null) {
            Logger.getLogger(LocalMain.class).error("Not started", failure);
        }
        if (ExceptionUtil.getRootCause(failure) instanceof FlywayValidateException) {
            System.err.println(
                    "The migrations have changed since they filled the database. If that is the one under target/local, remove"
                            + " target/local/postgres, with its data, and start again.");
        }
        ApplicationLifecycleManager.getDefaultExitCodeHandler().accept(status, failure);
    }

    /** Sets a property for the dev profile only, because continuous testing runs tests, with their own servers, in this JVM. */
    private static void publish(String property, String value) {
        System.setProperty("%dev." + property, value);
    }
}
