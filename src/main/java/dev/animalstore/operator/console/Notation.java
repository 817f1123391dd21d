package dev.animalstore.operator.console;

import io.quarkus.qute.TemplateExtension;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;

/** The formats of numbers and times on the pages. In a namespace, since others would be members of every text and number in an adopter's templates. */
@TemplateExtension(namespace = "consoleFormat")
final class Notation {
    private Notation() {}

    /** An integer in groups of three digits. */
    static String grouped(Number integer) {
        return String.format(Locale.ROOT, "%,d", integer.longValue());
    }

    /** As a percentage of another number, with one decimal. */
    static String percentOf(long number, long whole) {
        return String.format(Locale.ROOT, "%.1f", whole == 0 ? 0.0 : 100.0 * number / whole);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    static String minutes(Instant time) {
        return seconds(time).substring(0, "2026-01-01 00:00".length());
    }

    /** To the second, in UTC. */
    static String seconds(Instant time) {
        return time.toString().substring(0, "2026-01-01T00:00:00".length()).replace('T', ' ');
    }
}
