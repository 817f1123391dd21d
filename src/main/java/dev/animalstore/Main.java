package dev.animalstore;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.runtime.configuration.ConfigUtils;
import io.smallrye.config.PropertiesLocationConfigSourceFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.microprofile.config.Config;

/**
 * Starts the service in production. If a setting prevents the start, the process exits with status 1 and prints one line for each such
 * setting that names it and how to set it. What is required is checked before Quarkus would fail with a page of consequences, and the bounds
 * of settings, which are constraints of the configuration's interfaces, when it reads them.
 */
@QuarkusMain
public final class Main {
    /** How the tokens begin that documents show, for development. */
    private static final String PUBLISHED = "operators-token-for-";

    Main() {}

    public static void main(String... arguments) {
        List<String> faults = faults(configuration());
        if (faults.isEmpty()) {
            // Netty loads the service's extensions (ConnectionLimits, WriteConsolidation) only if this property is set
            // before its first connection.
            System.setProperty(ChannelInitializerExtension.EXTENSIONS_SYSTEM_PROPERTY, "serviceload");
            // Hibernate's first messages would precede the lines about settings.
            Logger.getLogger("org.hibernate").setLevel(Level.WARNING);
            Quarkus.run(null, StartFailure::exit, arguments);
        } else {
            faults.forEach(System.err::println);
            System.exit(1);
        }
    }

    /**
     * Reads the configuration from the sources that Quarkus uses at run time. Before {@code Quarkus.run} a native executable would
     * otherwise see the configuration of the build, without the environment.
     */
    private static Config configuration() {
        return ConfigUtils.emptyConfigBuilder()
                .withSources(new PropertiesLocationConfigSourceFactory())
                .build();
    }

    /** One message for each required setting that is missing or unsafe. */
    static List<String> faults(Config config) {
        List<String> faults = new ArrayList<>();
        require(
                config,
                "quarkus.datasource.jdbc.url",
                "jdbc:postgresql:.*",
                "QUARKUS_DATASOURCE_JDBC_URL=jdbc:postgresql://host:5432/database",
                faults);
        require(
                config,
                "quarkus.redis.hosts",
                "((redis|rediss|unix)://[^, ]+(, *|$))+",
                "QUARKUS_REDIS_HOSTS=redis://host:6379",
                faults);
        if (config.getOptionalValue("quarkus.redis.client-type", String.class)
                .orElse("")
                .equalsIgnoreCase("sentinel")) {
            require(config, "quarkus.redis.master-name", ".+", "QUARKUS_REDIS_MASTER_NAME=mymaster", faults);
        }
        String token = "animalstore.admin.token";
        if (config.getOptionalValue(token, String.class).orElse("").startsWith(PUBLISHED)) {
            faults.add("Not started: " + token + " is one that the documents show. Set a secret one, for example by"
                    + " ANIMALSTORE_ADMIN_TOKEN=$(openssl rand -hex 32)");
        }
        return faults;
    }

    private static void require(Config config, String property, String form, String example, List<String> faults) {
        Optional<String> value = config.getOptionalValue(property, String.class);
        if (value.isEmpty() || !value.get().matches(form)) {
            faults.add("Not started: " + property + (value.isEmpty() ? " is not set" : " has the wrong form")
                    + ". Set it, for example by the environment variable " + example);
        }
    }
}
