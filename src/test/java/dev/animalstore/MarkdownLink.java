package dev.animalstore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A link or an image of a document that leads into the repository.
 *
 * @param text the target as it is written
 * @param file the file that it names, relative to the root of the repository
 * @param anchor the heading in that file, as GitHub names it; empty if the link leads to the file
 */
record MarkdownLink(String text, Path file, String anchor) {
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]*))?\\)");
    private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+)$");

    /** The links of a document, except those in code. */
    static List<MarkdownLink> of(Path document) {
        return LINK.matcher(prose(document))
                .results()
                .map(link -> new MarkdownLink(
                        link.group(),
                        link.group(1).isEmpty()
                                ? document
                                : document.resolveSibling(link.group(1)).normalize(),
                        link.group(2) == null ? "" : link.group(2)))
                .toList();
    }

    /** Whether the file exists, and has the heading. */
    boolean isIntact() {
        return Files.exists(file)
                && (anchor.isEmpty() || (leadsToDocument() && anchors().contains(anchor)));
    }

    /** Whether the file is a document, which has headings and links. */
    boolean leadsToDocument() {
        return file.toString().endsWith(".md");
    }

    private Set<String> anchors() {
        Set<String> anchors = new HashSet<>();
        HEADING.matcher(prose(file)).results().forEach(heading -> {
            String anchor = heading.group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            String free = anchor;
            for (int i = 1; !anchors.add(free); i++) {
                free = anchor + "-" + i;
            }
        });
        return anchors;
    }

    private static String prose(Path document) {
        try {
            return FENCE.matcher(Files.readString(document)).replaceAll("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
