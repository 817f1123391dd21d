package dev.animalstore;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.runtime.configuration.DurationConverter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * Starts the service in production, if what it cannot do without is configured. Otherwise it ends with status 1 and one line for each
 * property that is missing or unsafe, which says how to set it, before Quarkus would fail with a page of consequences.
 */
@QuarkusMain
public final class Main {
    private static final int MINIMUM_ADMIN_TOKEN_LENGTH = 32;
    private static final Pattern PRINTABLE = Pattern.compile("[!-~]+");

    /** A raised version of a key is known in Redis for an hour, by QuotaMeter and quota.lua, so no older copy may be believed for longer. */
    private static final Duration MAXIMUM_CACHE_TIME = Duration.ofHours(1);

    private static final Pattern POSITIVE = Pattern.compile("[1-9][0-9]{0,8}");

    Main() {}

    /** The program. */
    public static void main(String... arguments) {
        List<String> faults = faults(ConfigProvider.getConfig());
        if (faults.isEmpty()) {
            // Netty takes the service's ConnectionGuards only if it is told to look for extensions, and before its
            // first connection.
            System.setProperty(ChannelInitializerExtension.EXTENSIONS_SYSTEM_PROPERTY, "serviceload");
            Quarkus.run(arguments);
        } else {
            faults.forEach(System.err::println);
            System.exit(1);
        }
    }

    /** What keeps the service from starting with that configuration, a line each. */
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
        config.getOptionalValue("animalstore.replicas", String.class)
                .filter(replicas -> !POSITIVE.matcher(replicas).matches())
                .ifPresent(replicas -> faults.add("Not started: animalstore.replicas is " + replicas
                        + ", which is no number of replicas. Set how many run, for example by ANIMALSTORE_REPLICAS=3"));
        config.getOptionalValue("animalstore.keys.cache-time", String.class)
                .filter(time -> !isAtMost(MAXIMUM_CACHE_TIME, time))
                .ifPresent(time -> faults.add("Not started: animalstore.keys.cache-time is " + time
                        + ", which is no time from 0 to its maximum of 1h. Set how long a key is believed without asking,"
                        + " for example by ANIMALSTORE_KEYS_CACHE_TIME=30s"));
        return faults;
    }

    /** A header never arrives with a line break or with spaces around it, so a token that has them would match no request. */
    private static Optional<String> tokenFault(String token) {
        if (!PRINTABLE.matcher(token).matches()) {
            return Optional.of("holds a space, a line break (as a Secret from a file that ends with one)"
                    + " or another character that is not printable ASCII. Set one without them");
        }
        return token.length() < MINIMUM_ADMIN_TOKEN_LENGTH
                ? Optional.of("is shorter than " + MINIMUM_ADMIN_TOKEN_LENGTH + " characters. Set a longer one")
                : Optional.empty();
    }

    /** Whether a setting is a time, as Quarkus reads it, from 0 to a maximum. */
    private static boolean isAtMost(Duration maximum, String setting) {
        try {
            Duration time = DurationConverter.parseDuration(setting);
            return time == null || (!time.isNegative() && time.compareTo(maximum) <= 0);
        } catch (IllegalArgumentException | ArithmeticException unreadable) {
            return false;
        }
    }

    private static void require(Config config, String property, String example, List<String> faults) {
        if (config.getOptionalValue(property, String.class).isEmpty()) {
            faults.add("Not started: " + property + " is not set. Set it, for example by the environment variable "
                    + example);
        }
    }
}
