package dev.animalstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.animalstore.fixture.Management;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The metrics in alerts and dashboard exist, and all are documented. The expressions themselves are tested by {@code promtool}. */
@QuarkusTest
class ObservabilityTest {
    /** A name with an underscore, unless it is a function's. */
    private static final Pattern METRIC = Pattern.compile("\\b[a-z]+(?:_[a-z]+)+\\b(?!\\s*\\()");

    private static final Pattern DOCUMENTED = Pattern.compile("(?m)^- `(animalstore_\\w+)`:");

    @ParameterizedTest
    @ValueSource(strings = {"alerts.yaml", "dashboard.json"})
    void expression_names_onlyExistingMetrics(String file) throws IOException {
        TestKey key = TestKey.unlimited().updateSecret("rotated_at = now(), expires_at = now() + interval '1 hour'");
        requestEachPath(key);

        Set<String> named = named(file);
        assertTrue(named.contains("animalstore_redis_up"));
        named.removeAll(existing());
        assertEquals(Set.of(), named, "Remove these from src/main/observability/" + file);
    }

    @Test
    void everyMetric_isDocumented() throws IOException {
        // Some are registered at their first event.
        requestEachPath(TestKey.unlimited());
        Operator.given().get("/admin/keys");

        Set<String> ours = existing().stream()
                .filter(name -> name.startsWith("animalstore_"))
                .map(name -> name.replaceFirst("_(bucket|count|sum|max)$", ""))
                .collect(Collectors.toSet());
        Set<String> documented = DOCUMENTED
                .matcher(Files.readString(Path.of("docs", "operate.md")))
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toSet());
        assertEquals(ours, documented, "docs/operate.md has a line for each metric");
    }

    /** Some metrics are of one operation, such as those of a deprecated one. */
    private static void requestEachPath(TestKey key) {
        RestAssured.get("/q/openapi?format=json")
                .<Map<String, ?>>path("paths")
                .keySet()
                .forEach(path -> key.given().get("/v1" + path.replaceAll("\\{.*?}", "1")));
    }

    private static Set<String> existing() {
        return Management.get("/metrics")
                .then()
                .statusCode(200)
                .extract()
                .asString()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0])
                .collect(Collectors.toSet());
    }

    private static Set<String> named(String file) throws IOException {
        // Every JSON document is a YAML document.
        JsonNode document = new YAMLMapper()
                .readTree(Path.of("src", "main", "observability", file).toFile());
        return document.findValuesAsText("expr").stream()
                .flatMap(expression -> METRIC.matcher(expression).results())
                .map(MatchResult::group)
                .collect(Collectors.toSet());
    }
}
