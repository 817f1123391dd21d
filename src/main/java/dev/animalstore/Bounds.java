package dev.animalstore;

import io.quarkus.runtime.configuration.DurationConverter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;

/** The bounds of the settings that are times and counts. Beyond them the service would not start, or would not do what it promises. */
final class Bounds {
    private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,8}");

    private static final List<ClockProducer> TIMES = List.of(
            // A raised version of a key is known in Redis for an hour, by QuotaMeter and quota.lua, so no older copy
            // may be believed for longer.
            new ClockProducer(
                    "animalstore.keys.cache-time", "0", "1h", "how long a key is believed without asking", "30s"),
            new ClockProducer(
                    "animalstore.catalogue.cache-time", "0", "1h", "how long a page is served without asking", "5s"),
            new ClockProducer("animalstore.ban.strike-window", "1ms", "365d", "how long refusals are counted", "60s"),
            new ClockProducer("animalstore.ban.first", "1ms", "365d", "the length of the first ban", "5m"),
            new ClockProducer("animalstore.ban.longest", "1ms", "365d", "the length at which bans stop growing", "1h"),
            new ClockProducer(
                    "animalstore.ban.forgotten-after",
                    "1ms",
                    "365d",
                    "how long a ban makes the next one longer",
                    "24h"),
            new ClockProducer("animalstore.usage.keep", "1d", "36500d", "how long the usage of a day is kept", "400d"),
            new ClockProducer(
                    "animalstore.redis.timeout", "1ms", "1m", "how long Redis may take for a decision", "40ms"),
            new ClockProducer("animalstore.redis.probe-every", "1ms", "1m", "how often Redis is probed", "500ms"));

    private static final List<Count> COUNTS = List.of(
            new Count("animalstore.replicas", "how many replicas run", "3"),
            new Count(
                    "animalstore.redis.failures",
                    "after how many failures in a row requests no longer wait for Redis",
                    "5"),
            new Count("animalstore.failed-authentication.per-minute", "an address's budget a minute", "300"),
            new Count("animalstore.failed-authentication.per-day", "an address's budget a day", "10000"),
            new Count(
                    "animalstore.failed-authentication.maximum-addresses",
                    "how many addresses are remembered",
                    "100000"),
            new Count("animalstore.keys.cache-size", "how many keys are remembered", "200000"),
            new Count("animalstore.keys.unknown-size", "how many unknown secrets are remembered", "100000"));

    private static final List<Factor> FACTORS =
            List.of(new Factor("animalstore.ban.strikes-per-limit", "how many limits of refusals bring a ban", "1"));

    private Bounds() {}

    /** What is beyond its bounds in that configuration, a line each. */
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
        return "Not started: " + property + " is " + value + ", which is " + why + ". Set " + meaning
                + ", for example by " + property.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_") + "=" + example;
    }

    /** A time from a minimum to a maximum. */
    private record ClockProducer(String property, String minimum, String maximum, String meaning, String example) {
        Optional<String> fault(Config config) {
            return config.getOptionalValue(property, String.class)
                    .filter(value -> !isWithin(value))
                    .map(value -> Bounds.fault(
                            property,
                            value,
                            "no time from " + minimum + " to its maximum of " + maximum,
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

    /** A number of at least 1. */
    private record Count(String property, String meaning, String example) {
        Optional<String> fault(Config config) {
            return config.getOptionalValue(property, String.class)
                    .filter(value -> !COUNT.matcher(value).matches())
                    .map(value -> Bounds.fault(property, value, "no number from 1 to 999999999", meaning, example));
        }
    }

    /** A number that is greater than 0. */
    private record Factor(String property, String meaning, String example) {
        Optional<String> fault(Config config) {
            return config.getOptionalValue(property, String.class)
                    .filter(value -> !isWithin(value))
                    .map(value ->
                            Bounds.fault(property, value, "no number greater than 0, up to 1000000", meaning, example));
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
