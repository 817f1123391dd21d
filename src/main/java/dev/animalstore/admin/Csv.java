package dev.animalstore.admin;

import dev.animalstore.usage.KeyDayUsage;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Usage as CSV (RFC 4180). */
final class Csv {
    /** The header line, with the names of the JSON members. */
    static final String HEADER = "key,owner,plan,day,admitted,refused,banned\r\n";

    /**
     * Characters that make spreadsheets interpret the text of a cell as a formula, and the apostrophe itself, so that different texts stay
     * different.
     */
    private static final String FORMULA = "=+-@|\t\r\n\uff1d\uff0b\uff0d\uff20'";

    private Csv() {}

    static String lines(List<KeyDayUsage> rows) {
        return rows.stream().map(Csv::line).collect(Collectors.joining());
    }

    private static String line(KeyDayUsage row) {
        return Stream.of(
                        row.key(),
                        text(row.owner()),
                        text(row.plan()),
                        row.day(),
                        row.admitted(),
                        row.refused(),
                        row.banned())
                .map(Object::toString)
                .collect(Collectors.joining(",", "", "\r\n"));
    }

    /** A text that no spreadsheet interprets as a formula: a leading apostrophe marks it as text, and is not shown. */
    static String text(String value) {
        String harmless = startsFormula(value) ? "'" + value : value;
        boolean quoted = harmless.chars().anyMatch(character -> ",\"\r\n".indexOf(character) >= 0);
        return quoted ? "\"" + harmless.replace("\"", "\"\"") + "\"" : harmless;
    }

    /** Spreadsheets skip spaces, and what cannot be seen, to where a formula begins. */
    private static boolean startsFormula(String value) {
        return value.codePoints()
                .dropWhile(character ->
                        Character.isSpaceChar(character) || Character.getType(character) == Character.FORMAT)
                .limit(1)
                .anyMatch(character -> FORMULA.indexOf(character) >= 0);
    }
}
