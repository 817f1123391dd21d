package dev.animalstore;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.runtime.configuration.ConfigUtils;
import io.smallrye.config.PropertiesLocationConfigSourceFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;

/**
 * Starts the service in production if its required configuration is present. Otherwise it exits with status 1 and prints one line for each
 * property that is missing or unsafe and how to set it, before Quarkus would fail with a page of consequences.
 */
@QuarkusMain
public final class Main {
    private static final int MINIMUM_ADMIN_TOKEN_LENGTH = 32;
    private static final Pattern PRINTABLE = Pattern.compile("[!-~]+");

    Main() {}

    /** The program. */
    public static void main(String... arguments) {
        List<String> faults = faults(configuration());
        if (faults.isEmpty()) {
            // Netty loads the service's extensions (ConnectionGuards, WriteConsolidation) only if this property is set
            // before its first connection.
            System.setProperty(ChannelInitializerExtension.EXTENSIONS_SYSTEM_PROPERTY, "serviceload");
            Quarkus.run(arguments);
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

    /** One message for each setting that prevents the start. */
    static List<String> faults(Config config) {
        List<String> faults = new ArrayList<>();
        require(
                config,
                "quarkus.datasource.jdbc.url",
                "QUARKUS_DATASOURCE_JDBC_URL=jdbc:postgresql://host:5432/database",
                faults);
        require(config, "quarkus.redis.hosts", "QUARKUS_REDIS_HOSTS=redis://host:6379", faults);
        config.getOptionalValue("animalstore.admin.token", String.class)
                .flatMap(Main::tokenFault)
                .ifPresent(fault -> faults.add("Not started: animalstore.admin.token " + fault
                        + ", for example by ANIMALSTORE_ADMIN_TOKEN=$(openssl rand -hex 32)"));
        faults.addAll(Bounds.faults(config));
        return faults;
    }

    /** A header value never contains a line break or surrounding spaces, so a token that has them would match no request. */
    private static Optional<String> tokenFault(String token) {
        if (!PRINTABLE.matcher(token).matches()) {
            return Optional.of("contains a space, a line break (such as a Secret made from a file that ends with one)"
                    + " or another character that is not printable ASCII. Set one without them");
        }
        return token.length() < MINIMUM_ADMIN_TOKEN_LENGTH
                ? Optional.of("is shorter than " + MINIMUM_ADMIN_TOKEN_LENGTH + " characters. Set a longer one")
                : Optional.empty();
    }

    private static void require(Config config, String property, String example, List<String> faults) {
        if (config.getOptionalValue(property, String.class).isEmpty()) {
            faults.add("Not started: " + property + " is not set. Set it, for example by the environment variable "
                    + example);
        }
    }
}
