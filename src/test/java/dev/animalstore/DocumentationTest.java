package dev.animalstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the documents name is there. */
class DocumentationTest {
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|#)([^)#]+)[^)]*\\)");
    private static final Pattern TEST = Pattern.compile("\\[`(\\w+(?:Test|IT))`\\]\\(([^)]+)\\)");

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "SECURITY.md", "CHANGELOG.md"})
    void links_leadToFiles(String document) throws IOException {
        List<String> broken = find(LINK, Files.readString(Path.of(document))).stream()
                .map(link -> link.group(1))
                .filter(path -> Files.notExists(Path.of(path)))
                .toList();

        assertEquals(List.of(), broken);
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "SECURITY.md"})
    void tests_areLinkedByTheirNames(String document) throws IOException {
        List<MatchResult> tests = find(TEST, Files.readString(Path.of(document)));

        assertFalse(tests.isEmpty());
        tests.forEach(test -> assertEquals(
                test.group(1) + ".java", Path.of(test.group(2)).getFileName().toString()));
    }

    @Test
    void everyThreat_namesTheTestThatCoversIt() throws IOException {
        List<String> threats = Files.readString(Path.of("SECURITY.md"))
                .lines()
                .dropWhile(line -> !line.startsWith("| fault or attack"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();

        assertFalse(threats.isEmpty());
        threats.forEach(threat -> assertFalse(find(TEST, threat).isEmpty(), () -> "no test is named: " + threat));
    }

    private static List<MatchResult> find(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }
}
