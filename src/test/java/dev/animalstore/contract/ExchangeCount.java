package dev.animalstore.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;

/** Counts exchanges that conform to the document, by operation and status. */
final class ExchangeCount {
    private final SortedMap<String, Long> counts = new ConcurrentSkipListMap<>();

    void add(String operation, int status) {
        counts.merge(operation + " | " + status, 1L, Long::sum);
    }

    long total() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Writes a Markdown table of the counts so far. */
    void write(Path file) throws IOException {
        Files.writeString(
                file,
                counts.entrySet().stream()
                        .map(ExchangeCount::row)
                        .collect(Collectors.joining(
                                "",
                                "| operation | status | exchanges |\n|---|---|---|\n",
                                "| all | | " + total() + " |\n")));
    }

    private static String row(Map.Entry<String, Long> entry) {
        return "| " + entry.getKey() + " | " + entry.getValue() + " |\n";
    }
}
