package dev.animalstore;

import io.quarkus.runtime.configuration.DurationConverter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;

/**
 * The bounds of the settings that are durations, counts and factors. Outside of them the service would not start, or would not keep its
 * promises.
 */
final class Bounds {
    private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,8}");

    private static final List<TimeBounds> TIMES = List.of(
            // QuotaLimiter and quota.lua keep a raised version of a key in Redis for an hour, so a cached key must not
            // be used for longer than that.
            new TimeBounds(
                    "animalstore.keys.cache-time", "0", "1h", "how long a cached key is used without a query", "30s"),
            new TimeBounds(
                    "animalstore.catalogue.cache-time",
                    "0",
                    "1h",
                    "how long a cached page is used without a query",
                    "5s"),
            new TimeBounds("animalstore.ban.strike-window", "1ms", "365d", "how long refusals are counted", "60s"),
            new TimeBounds("animalstore.ban.first", "1ms", "365d", "the length of the first ban", "5m"),
            new TimeBounds("animalstore.ban.longest", "1ms", "365d", "the length of the longest ban", "1h"),
            new TimeBounds(
                    "animalstore.ban.forgotten-after", "1ms", "365d", "how long a ban doubles the next one", "24h"),
            new TimeBounds("animalstore.usage.keep", "1d", "36500d", "how long the usage of a day is kept", "400d"),
            new TimeBounds("animalstore.redis.timeout", "1ms", "1m", "the timeout of a decision in Redis", "40ms"),
            new TimeBounds("animalstore.redis.probe-every", "1ms", "1m", "how often Redis is probed", "500ms"));

    private static final List<Count> COUNTS = List.of(
            new Count("animalstore.replicas", "how many replicas run", "3"),
            new Count("animalstore.redis.failures", "after how many failures in a row the circuit breaker opens", "5"),
            new Count("animalstore.failed-authentication.per-minute", "the limit per address and minute", "300"),
            new Count("animalstore.failed-authentication.per-day", "the limit per address and day", "10000"),
            new Count(
                    "animalstore.failed-authentication.maximum-addresses",
                    "the maximum number of addresses kept in memory",
                    "100000"),
            new Count("animalstore.keys.cache-size", "the maximum number of cached keys", "200000"),
            new Count("animalstore.keys.unknown-size", "the maximum number of cached unknown secrets", "100000"));

    private static final List<Factor> FACTORS = List.of(new Factor(
            "animalstore.ban.strikes-per-limit",
            "how many refusals cause a ban, as a multiple of the limit per minute",
            "1"));

    private Bounds() {}

    /** One message for each setting that is out of bounds. */
    static List<String> faults(Config config) {
        return Stream.of(
                        TIMES.stream().map(time -> time.fault(config)),
                        COUNTS.stream().map(count -> count.fault(config)),
                        FACTORS.stream().map(factor -> factor.fault(config)))
                .flatMap(faults -> faults)
                .flatMap(Optional::stream)
                .toList();
    }

    private static String fault(String property, String value, String why, String meaning, String example) {
        return "Not started: " + property + " is " + value + ", which is not " + why + ". Set " + meaning
                + ", for example by " + property.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_") + "=" + example;
    }

    /** A setting that is a duration, with both bounds inclusive. */
    private record TimeBounds(String property, String minimum, String maximum, String meaning, String example) {
        Optional<String> fault(Config config) {
            return config.getOptionalValue(property, String.class)
                    .filter(value -> !isWithin(value))
                    .map(value -> Bounds.fault(
                            property,
                            value,
                            "a duration from " + minimum + " to its maximum of " + maximum,
                            meaning,
                            example));
        }

        private boolean isWithin(String value) {
            try {
                Duration time = DurationConverter.parseDuration(value);
                return time == null
                        || (time.compareTo(DurationConverter.parseDuration(minimum)) >= 0
                                && time.compareTo(DurationConverter.parseDuration(maximum)) <= 0);
            } catch (IllegalArgumentException | ArithmeticException unreadable) {
                return false;
            }
        }
    }

    /** A setting that is a whole number of at least 1. */
    private record Count(String property, String meaning, String example) {
        Optional<String> fault(Config config) {
            return config.getOptionalValue(property, String.class)
                    .filter(value -> !COUNT.matcher(value).matches())
                    .map(value -> Bounds.fault(property, value, "a number from 1 to 999999999", meaning, example));
        }
    }

    /** A setting that is a number greater than 0. */
    private record Factor(String property, String meaning, String example) {
        Optional<String> fault(Config config) {
            return config.getOptionalValue(property, String.class)
                    .filter(value -> !isWithin(value))
                    .map(value ->
                            Bounds.fault(property, value, "a number greater than 0, up to 1000000", meaning, example));
        }

        private static boolean isWithin(String value) {
            try {
                double number = Double.parseDouble(value);
                return number > 0 && number <= 1_000_000;
            } catch (NumberFormatException unreadable) {
                return false;
            }
        }
    }
}
