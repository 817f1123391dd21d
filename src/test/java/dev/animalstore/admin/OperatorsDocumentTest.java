package dev.animalstore.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.usage.DayUsage;
import dev.animalstore.usage.KeyDayUsage;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
    void operations_inTheDocument_areThoseOfTheResource() {
        Map<String, String> documented = new TreeMap<>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().stream()
                        .filter(operation -> operation.getValue().has("operationId"))
                        .forEach(operation -> documented.put(
                                operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(),
                                operation.getValue().path("operationId").textValue())));
        assertEquals(operationsOfTheResource(), documented);
    }

    @Test
    void members_ofAKeyInTheDocument_areThoseOfTheResponse() {
        assertEquals(members(ManagedKey.class), properties("Key"));
        assertEquals(members(ManagedKey.WindowUsage.class), properties("WindowUsage"));
        assertEquals(members(ManagedKey.Ban.class), properties("Ban"));
        assertEquals(members(DayUsage.class), properties("DayUsage"));
        assertEquals(members(KeyDayUsage.class), properties("KeyDayUsage"));
    }

    @Test
    void errorCodes_inTheDocument_areOfTheClosedList() {
        List<String> known =
                Arrays.stream(ErrorCode.values()).map(ErrorCode::value).toList();
        JsonNode documented = document.at("/components/schemas/ErrorCode/enum");
        assertTrue(documented.size() > 0);
        documented.forEach(code -> assertTrue(known.contains(code.textValue()), code.textValue()));
    }

    private static Map<String, String> operationsOfTheResource() {
        return Stream.of(AdminResource.class, UsageResource.class)
                .flatMap(resource -> Arrays.stream(resource.getDeclaredMethods()))
                .filter(method -> httpMethod(method).findAny().isPresent())
                // The same operation in another format.
                .filter(method -> !method.getName().equals("exportUsage"))
                .collect(Collectors.toMap(
                        method -> httpMethod(method).findAny().orElseThrow() + " "
                                + method.getDeclaringClass()
                                        .getAnnotation(Path.class)
                                        .value()
                                + subPath(method),
                        Method::getName,
                        (one, other) -> one + ", " + other,
                        TreeMap::new));
    }

    private static Stream<String> httpMethod(Method method) {
        return Arrays.stream(method.getAnnotations())
                .map(Annotation::annotationType)
                .filter(type -> type.isAnnotationPresent(HttpMethod.class))
                .map(type -> type.getAnnotation(HttpMethod.class).value());
    }

    private static String subPath(Method method) {
        Path path = method.getAnnotation(Path.class);
        return path == null ? "" : "/" + path.value();
    }

    private Set<String> properties(String schema) {
        Set<String> names = new TreeSet<>();
        document.at("/components/schemas/" + schema + "/properties")
                .fieldNames()
                .forEachRemaining(names::add);
        return names;
    }

    private static Set<String> members(Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents())
                .filter(component -> !component.getAccessor().isAnnotationPresent(JsonIgnore.class))
                .map(component -> component.getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
