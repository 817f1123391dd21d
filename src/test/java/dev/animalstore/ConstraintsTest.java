package dev.animalstore;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.matchesPattern;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.tngtech.archunit.core.domain.JavaMethod;
import dev.animalstore.fixture.Independent;
import dev.animalstore.store.pet.PetError;
import dev.animalstore.web.error.Code;
import dev.animalstore.web.error.ErrorCode;
import dev.animalstore.web.input.Text;
import dev.animalstore.web.page.PageRequest.Limit;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.HttpMethod;
import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.validator.constraints.Range;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The operations, enumerations and constraints on requests in the code equal those in the two OpenAPI documents. */
@Independent
class ConstraintsTest {
    private static final String BODIES = """
            openapi,       NewPet,    dev.animalstore.store.pet.NewPet
            openapi-admin, NewKey,    dev.animalstore.operator.KeyRequests$NewKey
            openapi-admin, KeyChange, dev.animalstore.operator.KeyRequests$Change
            openapi-admin, KeyLookup, dev.animalstore.operator.KeyRequests$Lookup
            openapi-admin, Rotation,  dev.animalstore.operator.KeyRequests$Rotation
            """;

    private static final String ENGINE = "../dev/animalstore/web/openapi/api";

    private static final Set<String> COMPARED = Set.of(
            "type format minLength maxLength pattern minimum maximum enum required properties additionalProperties"
                    .split(" "));

    /** The longest date and time is written to the nanosecond. */
    private static final String DATE_TIME = "{type: [string, 'null'], format: date-time, maxLength: "
            + "2030-12-05T00:00:00.000000000+00:00".length() + "}";

    /** Which characters it may have is said in words: generated clients in some languages cannot compile a pattern, or misread it. */
    private static final String SHOWN_TEXT = "{type: string, minLength: 1, maxLength: %d}";

    /** Verified by {@code BearerKey}, which knows the checksum as well. */
    private static final String SECRET = "{type: string, maxLength: 47, pattern: '^ask_(live|test)_[0-9A-Za-z]{38}$'}";

    private static final YAMLMapper YAML = new YAMLMapper();

    @ParameterizedTest
    @CsvSource(textBlock = BODIES)
    void body_hasTheConstraintsOfItsSchema(String document, String schema, Class<? extends Record> body)
            throws Exception {
        JsonNode root = read(document);
        assertThat(
                "Remove the row of " + schema + " from ConstraintsTest.BODIES, which " + document + ".yaml lacks.",
                root.at("/components/schemas").has(schema));
        ObjectNode documented = documented(root, root.at("/components/schemas/" + schema));
        ObjectNode constrained = object(body);
        allowNamesOfRows(documented, constrained);

        assertThat(
                "The schema " + schema + " of " + document + ".yaml has the constraints of " + body.getSimpleName(),
                documented,
                equalTo(constrained));
    }

    @ParameterizedTest
    @ValueSource(strings = {ENGINE, "openapi-admin"})
    void limit_hasTheBoundsOfItsSchema(String document) throws IOException {
        JsonNode schema = read(document).at("/components/parameters/Limit/schema");

        assertThat(
                documented(schema, schema),
                equalTo(schema("{type: integer, format: int32, minimum: %d, maximum: %d}"
                        .formatted(Limit.MINIMUM, Limit.MAXIMUM))));
        assertThat(schema.get("default").asText(), equalTo(Limit.DEFAULT));
    }

    @Test
    void operations_areThoseOfTheResources() throws IOException {
        List<String> operations = read("openapi").get("paths").findValuesAsText("operationId");
        read(ENGINE).get("paths").findValuesAsText("operationId", operations);
        // It ends in the gate.
        operations.remove("authorize");
        Set<String> methods = ArchitectureTest.CLASSES.stream()
                .filter(type -> type.isAnnotatedWith(jakarta.ws.rs.Path.class)
                        && type.getAnnotationOfType(jakarta.ws.rs.Path.class)
                                .value()
                                .startsWith("/v1"))
                .flatMap(resource -> resource.getMethods().stream())
                .filter(method -> method.isMetaAnnotatedWith(HttpMethod.class))
                .map(JavaMethod::getName)
                .collect(Collectors.toSet());

        assertThat(
                "openapi.yaml or api.yaml has an operation for each method of a resource, with its name as operationId",
                Set.copyOf(operations),
                equalTo(methods));
    }

    @Test
    void errorCodes_areThoseOfTheCode() throws IOException {
        JsonNode published = read("openapi").at("/components/schemas/ErrorCode/enum");

        assertThat(
                "openapi.yaml, /components/schemas/ErrorCode, has each ErrorCode and PetError",
                Set.of(YAML.convertValue(published, String[].class)),
                equalTo(Stream.of(ErrorCode.values(), PetError.values())
                        .flatMap(Stream::of)
                        .map(Code::value)
                        .collect(Collectors.toSet())));
    }

    @Test
    void bodies_areAllCompared() throws IOException {
        for (String document : List.of("openapi", "openapi-admin")) {
            for (JsonNode body : read(document).findValues("requestBody")) {
                String schema = body.at("/content/application~1json/schema/$ref")
                        .asText()
                        .replaceFirst(".*/", "");
                assertThat(
                        "Add the record of the schema " + schema + " to ConstraintsTest.BODIES.",
                        BODIES.lines().anyMatch(line -> line.matches(document + ", +" + schema + ",.*")));
            }
        }
    }

    private static JsonNode read(String document) throws IOException {
        return YAML.readTree(Files.readString(Path.of("src/main/resources/META-INF", document + ".yaml")));
    }

    /** The compared parts of a schema, with the schemas that it refers to. */
    private static ObjectNode documented(JsonNode document, JsonNode schema) {
        ObjectNode compared = ((ObjectNode) schema.deepCopy()).retain(COMPARED);
        if (schema.has("$ref")) {
            JsonNode target = document.at(schema.get("$ref").textValue().substring(1));
            return documented(document, target).setAll(compared);
        }
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
                assertThat(name.textValue(), matchesPattern("\\P{Cntrl}*[^\\s\\p{Cntrl}]\\P{Cntrl}*"));
            });
            documented.withObject("/properties").set("plan", plan);
        }
    }

    /** The schema of a record, from the constraints of its components. */
    private static ObjectNode object(Class<?> type) throws Exception {
        ObjectNode schema = schema("{type: object}");
        for (RecordComponent component : type.getRecordComponents()) {
            AnnotatedElement member = type.getDeclaredField(component.getName());
            schema.withObject("/properties").set(component.getName(), member(component, member));
            if (component.getType().isPrimitive()
                    || member.isAnnotationPresent(NotNull.class)
                    || member.isAnnotationPresent(NotBlank.class)) {
                schema.withArray("/required").add(component.getName());
            }
        }
        JsonIgnoreProperties unknown = type.getAnnotation(JsonIgnoreProperties.class);
        return unknown != null && unknown.ignoreUnknown() ? schema : schema.put("additionalProperties", false);
    }

    private static ObjectNode member(RecordComponent component, AnnotatedElement member) throws Exception {
        Class<?> type = component.getType();
        if (type == String.class) {
            return text(member);
        }
        if (type == Boolean.class || type == boolean.class) {
            return schema("{type: boolean}");
        }
        if (type == Long.class || type == long.class) {
            return bounded(schema("{type: integer, format: int64}"), member);
        }
        if (type == Integer.class || type == int.class) {
            return bounded(schema("{type: integer, format: int32}"), member);
        }
        if (type.isEnum()) {
            List<String> constants = Arrays.stream(type.getEnumConstants())
                    .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                    .toList();
            return schema("{type: string, enum: %s}".formatted(constants));
        }
        if (component.getGenericType().getTypeName().equals("java.util.Optional<java.time.Instant>")) {
            return schema(DATE_TIME);
        }
        assertThat("Add the schema of " + component + " to ConstraintsTest.member.", type.isRecord());
        return object(type);
    }

    private static ObjectNode text(AnnotatedElement member) throws JsonProcessingException {
        Text text = member.getAnnotation(Text.class);
        Size size = member.getAnnotation(Size.class);
        if (text == null && size == null) {
            return schema(SECRET);
        }
        return schema(SHOWN_TEXT.formatted(text == null ? size.max() : text.max()));
    }

    private static ObjectNode bounded(ObjectNode schema, AnnotatedElement member) throws JsonProcessingException {
        Range range = member.getAnnotation(Range.class);
        Min min = member.getAnnotation(Min.class);
        Max max = member.getAnnotation(Max.class);
        if (range != null || min != null) {
            schema.setAll(schema("{minimum: %d}".formatted(range == null ? min.value() : range.min())));
        }
        if (range != null || max != null) {
            schema.setAll(schema("{maximum: %d}".formatted(range == null ? max.value() : range.max())));
        }
        return schema;
    }

    private static ObjectNode schema(String yaml) throws JsonProcessingException {
        return (ObjectNode) YAML.readTree(yaml);
    }
}
