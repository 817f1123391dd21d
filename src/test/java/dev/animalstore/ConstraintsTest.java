package dev.animalstore;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.matchesPattern;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.animalstore.request.JsonBody;
import dev.animalstore.request.Text;
import dev.animalstore.request.WholeNumber;
import jakarta.validation.constraints.NotNull;
import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.hibernate.validator.constraints.Range;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The constraints on requests in the code equal those in the two OpenAPI documents. */
class ConstraintsTest {
    private static final String BODIES = """
            openapi,       NewPet,    dev.animalstore.pet.NewPet
            openapi-admin, NewKey,    dev.animalstore.admin.KeyRequests$NewKey
            openapi-admin, KeyChange, dev.animalstore.admin.KeyRequests$Change
            openapi-admin, Rotation,  dev.animalstore.admin.KeyRequests$Rotation
            """;

    private static final List<String> COMPARED = List.of(
            "type",
            "format",
            "minLength",
            "maxLength",
            "pattern",
            "minimum",
            "maximum",
            "enum",
            "required",
            "properties",
            "additionalProperties");

    /** The longest date and time that is written to the nanosecond. */
    private static final int DATE_TIME_LENGTH = "2030-12-05T00:00:00.000000000+00:00".length();

    private static final String SHOWN_TEXT =
            "^[^\\x00-\\x1F\\x7F-\\x9F]*[^\\s\\x00-\\x1F\\x7F-\\x9F][^\\x00-\\x1F\\x7F-\\x9F]*$";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    @ParameterizedTest
    @CsvSource(textBlock = BODIES)
    void body_hasTheConstraintsOfItsSchema(String document, String schema, Class<? extends Record> body)
            throws IOException {
        JsonNode root = read(document);
        ObjectNode documented = documented(root, root.at("/components/schemas/" + schema));
        JsonNode constrained = parsed(object(body));
        allowNamesOfRows(documented, constrained);

        assertThat(documented, equalTo(constrained));
    }

    @Test
    void bodies_areAllCompared() {
        Set<String> bodies = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.animalstore").stream()
                        .filter(type -> type.isAssignableTo(JsonBody.class) && !type.isInterface())
                        .map(JavaClass::getName)
                        .collect(Collectors.toCollection(TreeSet::new));

        assertThat(
                BODIES.lines().map(line -> line.replaceAll(".*, *", "")).collect(Collectors.toCollection(TreeSet::new)),
                equalTo(bodies));
    }

    @ParameterizedTest
    @ValueSource(strings = {"openapi", "openapi-admin"})
    void limit_hasTheBoundsOfItsSchema(String document) throws Exception {
        JsonNode root = read(document);
        WholeNumber limit = Class.forName("dev.animalstore.page.Pages$Parameters")
                .getDeclaredField("limit")
                .getAnnotation(WholeNumber.class);

        assertThat(
                documented(root, root.at("/components/parameters/Limit/schema")),
                equalTo(parsed(integer("int32", limit.min(), limit.max()))));
    }

    private static ObjectNode read(String document) throws IOException {
        return (ObjectNode)
                new YAMLMapper().readTree(Files.readString(Path.of("src/main/resources/META-INF", document + ".yaml")));
    }

    /** The compared parts of a schema, with the schemas that it refers to. */
    private static ObjectNode documented(JsonNode document, JsonNode schema) {
        ObjectNode compared = JSON.objectNode();
        if (schema.has("$ref")) {
            compared.setAll(documented(
                    document, document.at(schema.get("$ref").textValue().substring(1))));
        }
        schema.properties().stream()
                .filter(keyword -> COMPARED.contains(keyword.getKey()))
                .forEach(keyword -> compared.set(keyword.getKey(), keyword.getValue()));
        schema.path("properties")
                .properties()
                .forEach(member -> compared.withObject("/properties")
                        .set(member.getKey(), documented(document, member.getValue())));
        return compared;
    }

    /** Allows names of plans as strings: the document lists them, while the service looks them up in a table. */
    private static void allowNamesOfRows(ObjectNode documented, JsonNode constrained) {
        JsonNode plan = constrained.at("/properties/plan");
        if (plan.isObject()) {
            documented.at("/properties/plan/enum").forEach(name -> {
                assertThat(
                        name.textValue().length(),
                        lessThanOrEqualTo(plan.get("maxLength").intValue()));
                assertThat(name.textValue(), matchesPattern(plan.get("pattern").textValue()));
            });
            documented.withObject("/properties").set("plan", plan);
        }
    }

    /** Parses a schema again, since a JSON number does not equal the same number of another Java type. */
    private static JsonNode parsed(ObjectNode schema) {
        try {
            return new ObjectMapper().readTree(schema.toString());
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static ObjectNode object(Class<?> type) {
        ObjectNode schema = JSON.objectNode().put("type", "object");
        ArrayNode required = JSON.arrayNode();
        for (RecordComponent component : type.getRecordComponents()) {
            AnnotatedElement member = member(type, component);
            schema.withObject("/properties").set(component.getName(), member(component, member));
            if (member.isAnnotationPresent(NotNull.class)) {
                required.add(component.getName());
            }
        }
        if (!required.isEmpty()) {
            schema.set("required", required);
        }
        JsonIgnoreProperties unknown = type.getAnnotation(JsonIgnoreProperties.class);
        return unknown != null && unknown.ignoreUnknown() ? schema : schema.put("additionalProperties", false);
    }

    private static ObjectNode member(RecordComponent component, AnnotatedElement member) {
        Class<?> type = component.getType();
        if (type == String.class) {
            return text(member.getAnnotation(Text.class).max());
        }
        if (type == Long.class || type == Integer.class) {
            Range range = member.getAnnotation(Range.class);
            return type == Long.class
                    ? integer("int64", Long.MIN_VALUE, Long.MAX_VALUE)
                    : integer("int32", range.min(), range.max());
        }
        if (type == Optional.class) {
            assertThat(
                    component.getGenericType().getTypeName(),
                    equalTo("java.util.Optional<" + Instant.class.getName() + ">"));
            return JSON.objectNode()
                    .put("format", "date-time")
                    .put("maxLength", DATE_TIME_LENGTH)
                    .set("type", JSON.arrayNode().add("string").add("null"));
        }
        if (type.isEnum()) {
            ArrayNode constants = JSON.arrayNode();
            Arrays.stream(type.getEnumConstants())
                    .forEach(constant -> constants.add(constant.toString().toLowerCase(Locale.ROOT)));
            return JSON.objectNode().put("type", "string").set("enum", constants);
        }
        return object(type);
    }

    private static ObjectNode text(int maximum) {
        return JSON.objectNode()
                .put("type", "string")
                .put("minLength", 1)
                .put("maxLength", maximum)
                .put("pattern", SHOWN_TEXT);
    }

    private static ObjectNode integer(String format, long minimum, long maximum) {
        return JSON.objectNode()
                .put("type", "integer")
                .put("format", format)
                .put("minimum", minimum)
                .put("maximum", maximum);
    }

    private static AnnotatedElement member(Class<?> type, RecordComponent component) {
        try {
            return type.getDeclaredField(component.getName());
        } catch (NoSuchFieldException e) {
            throw new AssertionError(e);
        }
    }
}
