package dev.animalstore;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.matchesPattern;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.tngtech.archunit.core.domain.JavaMethod;
import dev.animalstore.fixture.Independent;
import dev.animalstore.web.input.Text;
import dev.animalstore.web.page.PageRequest;
import dev.animalstore.web.page.PageRequest.Limit;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.HttpMethod;
import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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

    private static final String INTEGER = "{type: integer, format: %s, minimum: %d, maximum: %d}";

    private static final YAMLMapper YAML = new YAMLMapper();

    @ParameterizedTest
    @CsvSource(textBlock = BODIES)
    void body_hasTheConstraintsOfItsSchema(String document, String schema, Class<? extends Record> body)
            throws Exception {
        JsonNode root = read(document);
        ObjectNode documented = documented(root, root.at("/components/schemas/" + schema));
        ObjectNode constrained = object(body);
        allowNamesOfRows(documented, constrained);

        assertThat(documented, equalTo(constrained));
    }

    @ParameterizedTest
    @ValueSource(strings = {"openapi", "openapi-admin"})
    void limit_hasTheBoundsOfItsSchema(String document) throws IOException {
        JsonNode schema = read(document).at("/components/parameters/Limit/schema");

        assertThat(
                documented(schema, schema), equalTo(schema(INTEGER.formatted("int32", Limit.MINIMUM, Limit.MAXIMUM))));
        assertThat(schema.get("default").asText(), equalTo(Limit.DEFAULT));
    }

    @ParameterizedTest
    @CsvSource({"/v1/pets, Pet", "/v1/store/orders, Order"})
    void exampleOfACursor_belongsToTheExampleOfTheFilter(String path, String item) throws IOException {
        JsonNode parameters = read("openapi").at("/components/parameters");
        String cursor = parameters.at("/" + item + "Cursor/example").textValue();
        String status = parameters.at("/" + item + "StatusFilter/example").textValue();

        Limit limit = Limit.fromString(parameters.at("/Limit/example").asText());
        assertThat(PageRequest.of(path, limit, cursor, Map.of("status", status)).after(), equalTo(0L));
    }

    @Test
    void operations_areThoseOfTheInterfaceAndOfTheResources() throws IOException {
        JsonNode paths = read("openapi").get("paths");
        Set<String> methods = ArchitectureTest.CLASSES.stream()
                .filter(type -> type.isAnnotatedWith(jakarta.ws.rs.Path.class)
                        && type.getAnnotationOfType(jakarta.ws.rs.Path.class)
                                .value()
                                .startsWith("/v1"))
                .flatMap(resource -> resource.getMethods().stream())
                .filter(method -> method.isMetaAnnotatedWith(HttpMethod.class))
                .map(JavaMethod::getName)
                .collect(Collectors.toSet());

        assertThat(methods, equalTo(Set.of("listPets", "createPet", "getPet", "listOrders")));
        assertThat(Set.copyOf(paths.findValuesAsText("operationId")), equalTo(methods));
        assertThat(paths.findParents("deprecated"), equalTo(List.of(paths.at("/~1pets~1{petId}/get"))));
        assertThat(paths.at("/~1store~1orders/get/x-explorer-enabled"), equalTo(BooleanNode.FALSE));
    }

    @ParameterizedTest
    @CsvSource({
        "ErrorCode, dev.animalstore.web.error.ErrorCode",
        "PetStatus, dev.animalstore.store.pet.PetStatus",
        "OrderStatus, dev.animalstore.store.order.OrderStatus"
    })
    void enumeration_hasTheConstantsOfTheCode(String schema, Class<? extends Enum<?>> type) throws IOException {
        JsonNode published = read("openapi").at("/components/schemas/" + schema + "/enum");

        assertThat(published, equalTo(YAML.valueToTree(type.getEnumConstants())));
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
            if (member.isAnnotationPresent(NotNull.class)) {
                schema.withArray("/required").add(component.getName());
            }
        }
        JsonIgnoreProperties unknown = type.getAnnotation(JsonIgnoreProperties.class);
        return unknown != null && unknown.ignoreUnknown() ? schema : schema.put("additionalProperties", false);
    }

    private static ObjectNode member(RecordComponent component, AnnotatedElement member) throws Exception {
        Class<?> type = component.getType();
        if (type == String.class) {
            Text text = member.getAnnotation(Text.class);
            return schema(text == null ? SECRET : SHOWN_TEXT.formatted(text.max()));
        }
        if (type == Boolean.class) {
            return schema("{type: boolean}");
        }
        if (type == Long.class) {
            return schema("{type: integer, format: int64}");
        }
        if (type == Integer.class) {
            Range range = member.getAnnotation(Range.class);
            return schema(INTEGER.formatted("int32", range.min(), range.max()));
        }
        if (type == Optional.class) {
            assertThat(
                    component.getGenericType().getTypeName(),
                    equalTo("java.util.Optional<" + Instant.class.getName() + ">"));
            return schema(DATE_TIME);
        }
        if (type.isEnum()) {
            List<String> constants = Arrays.stream(type.getEnumConstants())
                    .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                    .toList();
            return schema("{type: string, enum: %s}".formatted(constants));
        }
        return object(type);
    }

    private static ObjectNode schema(String yaml) throws JsonProcessingException {
        return (ObjectNode) YAML.readTree(yaml);
    }
}
