package dev.animalstore.operator.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.animalstore.metering.quota.QuotaView;
import dev.animalstore.metering.usage.UsageReports.DayUsage;
import dev.animalstore.metering.usage.UsageReports.KeyDayUsage;
import dev.animalstore.operator.KeyChange;
import dev.animalstore.operator.ManagedKey;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The operators' OpenAPI document agrees with the code. */
class OperatorsDocumentTest {
    private final JsonNode document;

    OperatorsDocumentTest() throws IOException {
        try (InputStream file = OperatorsDocumentTest.class.getResourceAsStream("/META-INF/openapi-admin.yaml")) {
            document = new YAMLMapper().readTree(file);
        }
    }

    @Test
    void operations_inTheDocument_areThoseOfTheResources() {
        Map<String, String> documented = new TreeMap<>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(operation -> documented.put(
                                operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(),
                                operation.getValue().path("operationId").asText())));
        documented.values().removeIf(String::isEmpty);
        Map<String, String> operations = new TreeMap<>();
        for (Method method : AdminResource.class.getDeclaredMethods()) {
            for (Annotation annotation : method.getAnnotations()) {
                HttpMethod http = annotation.annotationType().getAnnotation(HttpMethod.class);
                // The export is the list in another format.
                if (http != null && !method.getName().equals("exportUsage")) {
                    operations.put(http.value() + " " + path(AdminResource.class, method), method.getName());
                }
            }
        }
        assertEquals(operations, documented);
    }

    @Test
    void members_ofResponsesInTheDocument_areThoseOfTheCode() {
        Map<String, Class<?>> types = Map.of(
                "Key", ManagedKey.class,
                "WindowUsage", QuotaView.Window.class,
                "Ban", QuotaView.Ban.class,
                "DayUsage", DayUsage.class,
                "KeyDayUsage", KeyDayUsage.class);
        types.forEach((schema, type) -> assertEquals(members(type), documented(schema)));
        assertEquals(
                Set.of(KeyChange.class.getAnnotation(JsonPropertyOrder.class).value()), documented("RecordedChange"));
    }

    private Set<String> documented(String schema) {
        return document.at("/components/schemas/" + schema + "/properties").properties().stream()
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private static String path(Class<?> resource, Method method) {
        Path path = method.getAnnotation(Path.class);
        return resource.getAnnotation(Path.class).value()
                + (path == null ? "" : "/" + path.value().replace(":[0-9]{1,18}", ""));
    }

    private static Set<String> members(Class<?> type) {
        return Stream.of(type.getRecordComponents())
                .filter(component -> !component.getAccessor().isAnnotationPresent(JsonIgnore.class))
                .map(RecordComponent::getName)
                .collect(Collectors.toSet());
    }
}
