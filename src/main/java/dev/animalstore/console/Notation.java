package dev.animalstore.console;

import io.quarkus.qute.TemplateExtension;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The formats of numbers and times on the pages. */
@TemplateExtension
final class Notation {
    private static final DateTimeFormatter MINUTES =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Notation() {}

    /** In groups of three digits. */
    static String grouped(int number) {
        return grouped((long) number);
    }

    /** In groups of three digits. */
    static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** As a percentage of another number, with one decimal. */
    static String percentOf(long number, long whole) {
        return String.format(Locale.ROOT, "%.1f", whole == 0 ? 0.0 : 100.0 * number / whole);
    }

    /** As a value in a query string. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** To the minute, in UTC. */
    static String minutes(Instant time) {
        return MINUTES.format(time);
    }

    /** To the second, in UTC. */
    static String seconds(Instant time) {
        return SECONDS.format(time);
    }
}
