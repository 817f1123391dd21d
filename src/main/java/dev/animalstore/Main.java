package dev.animalstore;

import io.quarkus.arc.Unremovable;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.runtime.annotations.RegisterResources;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithName;
import jakarta.validation.constraints.Pattern;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TimeZone;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.hibernate.validator.constraints.Range;

/**
 * Starts the service in production. If a setting prevents the start, the process exits with status 1 and prints one line for each such
 * setting that names it and how to set it. The bounds of settings are constraints of the configuration's interfaces.
 */
@QuarkusMain(name = "metering")
@RegisterResources(
        globs = {
            "dev/animalstore/metering/quota/*.lua",
            "dev/animalstore/operator/console/*",
            "dev/animalstore/web/openapi/explorer-enabled.js",
            "META-INF/services/io.netty.bootstrap.ChannelInitializerExtension",
            "org/postgresql/driverconfig.properties"
        })
public final class Main {
    Main() {}

    public static void main(String... arguments) {
        // Logs and messages have ASCII digits whatever the host's locale.
        Locale.setDefault(Locale.ROOT);
        // The driver sends the host's time zone to PostgreSQL, which refuses one that it does not know.
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        // Otherwise the log asks name servers for the host's name, for ten seconds if none responds. No line has it.
        System.getProperties().putIfAbsent("jboss.host.name", System.getenv().getOrDefault("HOSTNAME", "localhost"));
        // Hibernate's first messages would precede the lines about settings.
        Logger.getLogger("org.hibernate").setLevel(Level.WARNING);
        Quarkus.run(null, StartFailure::exit, arguments);
    }

    /** What is required of Quarkus's settings, without which it would fail later, with a page of consequences. */
    @Unremovable
    @ConfigMapping(prefix = "quarkus.datasource.metering.jdbc", namingStrategy = ConfigMapping.NamingStrategy.VERBATIM)
    interface Database {
        String ADDRESS =
                "jdbc:postgresql://([^/?:,]*|\\[[^/?,]+])(:[0-9]+)?(,([^/?:,]+|\\[[^/?,]+])(:[0-9]+)?)*([/?].*)?";

        String OF_THE_ENGINE = "must be as the engine sets it";

        @Pattern(regexp = ADDRESS, message = "must be as in jdbc:postgresql://host:5432/database")
        String url();

        /** Of a statement. Without one, a request would wait for a server that hangs. */
        @WithName("additional-jdbc-properties.socketTimeout")
        @Range(min = 1, max = 1_000_000, message = "must be from {min} to {max}")
        OptionalInt timeoutSeconds();

        @WithName("additional-jdbc-properties.targetServerType")
        Optional<@Pattern(regexp = "primary", message = OF_THE_ENGINE) String> servers();

        @WithName("new-connection-sql")
        Optional<@Pattern(regexp = "\\s*select set_config\\('statement_timeout'.*", message = OF_THE_ENGINE) String>
                settings();
    }

    @Unremovable
    @ConfigMapping(prefix = "quarkus.flyway.metering")
    interface Schema {
        Optional<List<@Pattern(regexp = "metering", message = Database.OF_THE_ENGINE) String>> schemas();
    }

    /** The gate sees the paths of the server, and reads itself what proxies report. */
    @Unremovable
    @ConfigMapping(prefix = "quarkus.http")
    interface Http {
        Optional<@Pattern(regexp = "/", message = Database.OF_THE_ENGINE) String> rootPath();

        @WithName("proxy.proxy-address-forwarding")
        Optional<@Pattern(regexp = "false", message = "must not be set, but animalstore.proxies") String> forwarding();
    }

    @Unremovable
    @ConfigMapping(prefix = "quarkus.rest")
    interface Rest {
        Optional<@Pattern(regexp = "/", message = Database.OF_THE_ENGINE) String> path();
    }

    @Unremovable
    @ConfigMapping(prefix = "quarkus.redis")
    interface Redis {
        String ADDRESS = "unix://.+|rediss?://([^/#]*@)?([A-Za-z0-9.-]+|\\[[^/]+])(:[0-9]+)?(/[0-9]*)?(\\?.*)?";

        List<
                        @Pattern(
                                regexp = ADDRESS,
                                message =
                                        "must be as in redis://host:6379, in which the host has letters, digits, - and . only")
                        String>
                hosts();
    }
}
