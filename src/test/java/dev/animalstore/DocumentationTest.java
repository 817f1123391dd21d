package dev.animalstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.animalstore.fixture.Independent;
import dev.animalstore.store.pet.PetError;
import dev.animalstore.web.error.Code;
import dev.animalstore.web.error.ErrorCode;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.ConfigMappings;
import io.smallrye.config.ConfigMappings.ConfigClass;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documents name only what exists, their links are intact, and no setting, error code or alert is missing. */
@Independent
class DocumentationTest {
    private static final Path README = Path.of("README.md");
    private static final Path DOCS = Path.of("docs");
    private static final Path API = DOCS.resolve("api.md");
    private static final Path CONFIGURATION = DOCS.resolve("configuration.md");
    private static final Path OPERATE = DOCS.resolve("operate.md");

    private static final Pattern ALERT = Pattern.compile("(?m)^### (AnimalStore\\w+)$");
    private static final Pattern TEST = Pattern.compile("(?<!@)\\b[A-Z][a-z]\\w*(?:Test|IT)\\b");
    private static final Pattern PROPERTY = Pattern.compile("(?<![\\w.@/])animalstore(?:\\.[a-z-]+)+(?:\\.<name>)?");
    private static final Pattern VARIABLE = Pattern.compile("\\bANIMALSTORE(?:_[A-Z]+)+\\b(?:_<NAME>)?");
    private static final Pattern SETTING =
            Pattern.compile("(?m)^\\| `([^`|]+)` \\| `([^`|]+)` \\| (?:`([^`|]+)` )?\\|");
    private static final Pattern ERROR = Pattern.compile("(?m)^\\| `([a-z_]+)` \\| ([45]\\d\\d) \\| \\S");

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(?:java|xml|properties)\n(.*?)^```");

    private static final Pattern LOG_LINE = Pattern.compile("`[A-Z][a-z]\\w*( [^`=/{]*)`");

    /** Every setting of the service with its default, which is empty if it has none. */
    private static final Map<String, String> SETTINGS = settings();

    static List<Path> documents() throws IOException {
        try (Stream<Path> root = Files.list(Path.of(""));
                Stream<Path> docs = Files.walk(DOCS)) {
            return Stream.concat(root, docs)
                    .filter(path -> path.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void links_leadToFilesAndHeadings(Path document) {
        MarkdownLink.of(document).forEach(link -> assertTrue(link.isIntact(), link.text()));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void testsAndSettings_exist(Path document) throws IOException {
        String text = Files.readString(document).replaceAll("(ANIMALSTORE_ADMIN_TOKENS_)[A-Z0-9]\\w*", "$1<NAME>");
        Set<String> variables =
                SETTINGS.keySet().stream().map(DocumentationTest::variable).collect(Collectors.toSet());

        assertEquals(Set.of(), without(classesOfTests(), all(TEST, text)), "Remove these tests from " + document);
        assertEquals(Set.of(), without(SETTINGS.keySet(), all(PROPERTY, text)), "Remove these from " + document);
        assertEquals(Set.of(), without(variables, all(VARIABLE, text)), "Remove these from " + document);
    }

    /** Which is built, tested and started by ConsumerIT. */
    @Test
    void blocksOfYourService_arePartsOfTheConsumer() throws IOException {
        StringBuilder consumer = new StringBuilder();
        try (Stream<Path> files = Files.walk(Path.of("src", "it", "parcels"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                consumer.append(Files.readString(file)).append('\n');
            }
        }
        String parts = consumer.toString().replaceAll("\\s+", " ");
        List<String> blocks = find(BLOCK, Files.readString(DOCS.resolve("your-service.md"))).stream()
                .map(block -> block.group(1).replaceAll("\\s+", " ").strip())
                .toList();
        assertEquals(
                List.of(),
                blocks.stream().filter(block -> !parts.contains(block)).toList());
        assertFalse(blocks.isEmpty());
    }

    @Test
    void everyDocumentAndImage_isReachedFromTheReadme() throws IOException {
        Set<Path> reached = new TreeSet<>(Set.of(README));
        Deque<Path> open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            for (MarkdownLink link : MarkdownLink.of(open.pop())) {
                if (link.isIntact() && reached.add(link.file()) && link.leadsToDocument()) {
                    open.push(link.file());
                }
            }
        }

        Set<Path> there = new TreeSet<>(documents());
        try (Stream<Path> docs = Files.walk(DOCS)) {
            docs.filter(Files::isRegularFile).forEach(there::add);
        }
        assertEquals(Set.of(), without(reached, there), "Link to these from README.md or from what it leads to");
    }

    @Test
    void everySetting_isDocumentedWithItsVariableAndDefault() throws IOException {
        Map<String, String> defaults = new TreeMap<>();
        for (MatchResult row : find(SETTING, Files.readString(CONFIGURATION))) {
            assertEquals(variable(row.group(1)), row.group(2));
            if (row.group(1).startsWith("animalstore.")) {
                defaults.put(row.group(1), Objects.requireNonNullElse(row.group(3), ""));
            }
        }

        assertEquals(SETTINGS, defaults, "docs/configuration.md has a row for each setting of a @ConfigMapping");
    }

    @Test
    void everyErrorCode_isDocumentedWithItsStatus() throws IOException {
        Map<String, String> statuses = Stream.of(ErrorCode.values(), PetError.values())
                .flatMap(Stream::of)
                .collect(Collectors.toMap(Code::value, code -> Integer.toString(code.status())));

        Map<String, String> documented = find(ERROR, Files.readString(API)).stream()
                .collect(Collectors.toMap(row -> row.group(1), row -> row.group(2)));
        assertEquals(statuses, documented, "docs/api.md, \"Errors\", has a row for each ErrorCode and PetError");
    }

    /** And leads to its heading. */
    @Test
    void everyAlert_isDocumented() throws IOException {
        Set<String> alerts = new TreeSet<>();
        for (JsonNode rule : new YAMLMapper()
                .readTree(Path.of("src", "main", "observability", "alerts.yaml").toFile())
                .at("/groups/0/rules")) {
            if (rule.has("alert")) {
                String alert = rule.get("alert").asText();
                alerts.add(alert);
                String url = rule.at("/annotations/runbook_url").asText();
                assertTrue(url.endsWith("/operate.md#" + alert.toLowerCase(Locale.ROOT)), alert + ": " + url);
            }
        }
        Set<String> documented = find(ALERT, Files.readString(OPERATE)).stream()
                .map(alert -> alert.group(1))
                .collect(Collectors.toSet());

        assertEquals(alerts, documented, "docs/operate.md has a heading for each alert of alerts.yaml");
    }

    /** A code span of the runbook that begins like a sentence is a line of the log; … stands for what varies, as may the first word. */
    @Test
    void everyLogLineOfTheRunbook_isWritten() throws IOException {
        StringBuilder code = new StringBuilder();
        try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                code.append(Files.readString(file));
            }
        }
        List<MatchResult> lines = find(LOG_LINE, Files.readString(OPERATE));

        assertFalse(lines.isEmpty());
        lines.forEach(line -> assertTrue(
                Pattern.compile("\\Q" + line.group(1).replace("…", "\\E.*\\Q") + "\\E")
                        .matcher(code)
                        .find(),
                line.group()));
    }

    @Test
    void clientInJava_compilesWithoutWarnings(@TempDir Path folder) {
        String client = DOCS.resolve("clients/AnimalStoreClient.java").toString();
        ByteArrayOutputStream output = new ByteArrayOutputStream();

        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, output, output, "-Xlint:all", "-Werror", "-proc:none", "-d", folder.toString(), client);
        assertEquals(0, status, output::toString);
    }

    private static Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>();
        ArchitectureTest.CLASSES.stream()
                .filter(type -> type.isAnnotatedWith(ConfigMapping.class))
                .map(type -> ConfigMappings.getProperties(ConfigClass.configClass(type.reflect())))
                .forEach(group -> group.forEach((name, property) ->
                        settings.put(name, property.hasDefaultValue() ? property.getDefaultValue() : "")));
        // The elements of a list are listed in addition to the list; those of Quarkus are constrained only.
        settings.keySet().removeIf(name -> name.endsWith("[*]") || name.startsWith("quarkus."));
        // One for each name.
        Set.copyOf(settings.keySet()).stream()
                .filter(name -> name.endsWith(".*"))
                .forEach(name -> {
                    settings.put(name.replace("*", "<name>"), settings.remove(name));
                });
        return settings;
    }

    private static Set<String> classesOfTests() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src", "test", "java"))) {
            return files.map(file -> file.getFileName().toString().replace(".java", ""))
                    .collect(Collectors.toSet());
        }
    }

    /** The environment variable of a property, by MicroProfile Config's rule. */
    private static String variable(String property) {
        return property.replaceAll("[^A-Za-z0-9<>]", "_").toUpperCase(Locale.ROOT);
    }

    private static List<MatchResult> find(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }

    private static Set<String> all(Pattern pattern, String text) {
        return find(pattern, text).stream().map(MatchResult::group).collect(Collectors.toSet());
    }

    /** The given elements that are not allowed. */
    private static <T> Set<T> without(Set<T> allowed, Set<T> given) {
        Set<T> rest = new TreeSet<>(given);
        rest.removeAll(allowed);
        return rest;
    }
}
