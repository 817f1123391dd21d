package dev.animalstore;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.util.List;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * Starts the service in production, if what it cannot do without is configured. Otherwise it ends with status 1 and one line for each
 * missing property, which says how to set it, before Quarkus would fail with a page of consequences.
 */
@QuarkusMain
public final class Main {
    Main() {}

    /** The program. */
    public static void main(String... arguments) {
        List<String> faults = faults(ConfigProvider.getConfig());
        if (faults.isEmpty()) {
            Quarkus.run(arguments);
        } else {
            faults.forEach(System.err::println);
            System.exit(1);
        }
    }

    /** What keeps the service from starting with that configuration, a line each. */
    static List<String> faults(Config config) {
        return List.of(
                        new Required(
                                "quarkus.datasource.jdbc.url",
                                "the PostgreSQL database",
                                "QUARKUS_DATASOURCE_JDBC_URL=jdbc:postgresql://host:5432/database"),
                        new Required(
                                "quarkus.redis.hosts", "the Redis server", "QUARKUS_REDIS_HOSTS=redis://host:6379"))
                .stream()
                .filter(required -> config.getOptionalValue(required.property(), String.class)
                        .isEmpty())
                .map(Required::fault)
                .toList();
    }

    private record Required(String property, String meaning, String example) {
        String fault() {
            return "Not started: " + property + " (" + meaning
                    + ") is not set. Set it, for example by the environment variable " + example;
        }
    }
}
