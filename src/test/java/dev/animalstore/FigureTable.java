package dev.animalstore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A table of what a test measured, in Markdown, in a file of the build folder: the documents take their figures from there. */
public final class FigureTable {
    private final Path file;

    /** Begins a table in the file of that name, in place of the one of an earlier run. */
    public FigureTable(String name, String... columns) {
        file = Path.of("target", name);
        write(row(List.of(columns)) + row(Collections.nCopies(columns.length, "---")));
    }

    /** Adds a row; fractions are rounded to a tenth. */
    public void add(Object... cells) {
        write(row(Stream.of(cells).map(FigureTable::text).toList()), StandardOpenOption.APPEND);
    }

    /** The name of a constant as a person writes it. */
    static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private void write(String rows, StandardOpenOption... how) {
        try {
            Files.writeString(file, rows, how);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Object cell) {
        return cell instanceof Double fraction ? String.format(Locale.ROOT, "%.1f", fraction) : cell.toString();
    }

    private static String row(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
