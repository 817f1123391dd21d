package dev.animalstore;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Texts that were made from valid ones by a few random changes. Each comes from a number of its own; a failure names it, and
 * {@code -Dfuzz.seed} brings the same text again as the first.
 */
public final class Fuzz {
    /** How long each parser is tried; all of them together take a minute. */
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("fuzz.seconds", 20));

    private static final int MOST_CHANGES = 4;

    /** What parsers stumble over. */
    private static final List<String> TOKENS = List.of(
            "",
            " ",
            "\t",
            "\0",
            "\r",
            "\n",
            "%",
            "%00",
            "%zz",
            "%C0%AF",
            "%2e%2e",
            "..",
            "/",
            "//",
            "\\",
            ";",
            "?",
            "&",
            "=",
            "+",
            ",",
            "\"",
            "\\u0000",
            "\\ud800",
            "{",
            "}",
            "[",
            "]",
            ":",
            "null",
            "true",
            "-",
            "-1",
            "0",
            "1e400",
            "9223372036854775808",
            "1.0",
            "Bearer ",
            "ask_live_",
            "*",
            "\u00ff",
            "\u00e9",
            "\u2028",
            "\ufeff",
            "\ud83d",
            "\ud83d\ude00",
            "\u202e");

    private final List<String> seeds;
    private final RandomGenerator random;

    private Fuzz(List<String> seeds, long number) {
        this.seeds = seeds;
        this.random = new SplittableRandom(number);
    }

    /** Where the numbers begin: another place in each run, unless one is to be repeated. */
    public static long firstNumber() {
        return Long.getLong("fuzz.seed", System.nanoTime());
    }

    /** The text of a number. */
    public static String text(List<String> seeds, long number) {
        return new Fuzz(seeds, number).next();
    }

    /** Feeds texts to a parser, which fails where it should not, until the time is over. */
    public static void run(List<String> seeds, Consumer<String> parser) {
        long number = firstNumber();
        long end = System.nanoTime() + TIME.toNanos();
        for (; System.nanoTime() - end < 0; number++) {
            String text = text(seeds, number);
            try {
                parser.accept(text);
            } catch (RuntimeException | AssertionError | StackOverflowError failure) {
                throw new AssertionError("-Dfuzz.seed=" + number + ": " + text, failure);
            }
        }
    }

    private String next() {
        StringBuilder text = new StringBuilder(seed());
        for (int changes = random.nextInt(MOST_CHANGES + 1); changes > 0; changes--) {
            change(text);
        }
        return text.toString();
    }

    private void change(StringBuilder text) {
        int from = random.nextInt(text.length() + 1);
        int to = Math.min(text.length(), from + random.nextInt(8));
        switch (random.nextInt(7)) {
            case 0 -> text.replace(from, to, TOKENS.get(random.nextInt(TOKENS.size())));
            case 1 -> text.insert(from, TOKENS.get(random.nextInt(TOKENS.size())));
            case 2 -> text.insert(from, (char) random.nextInt(128));
            case 3 -> text.insert(from, (char) random.nextInt(0x10000));
            case 4 -> text.delete(from, to);
            case 5 ->
                text.insert(from, text.substring(from, to).repeat(random.nextInt(random.nextInt(20) == 0 ? 2000 : 4)));
            default -> text.replace(from, text.length(), seed());
        }
    }

    private String seed() {
        return seeds.get(random.nextInt(seeds.size()));
    }
}
