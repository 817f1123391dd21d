package dev.animalstore.contract;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.NonValidationKeyword;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** An OpenAPI 3.1 document: finds operations and validates values against schemas. */
final class ApiDocument {
    private static final String VERSION = "/v1";
    private static final String COMPONENTS = "components";
    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNumberLength(Integer.MAX_VALUE)
                            .maxNameLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final JsonNode root;
    private final SchemaRegistry registry = SchemaRegistry.withDialect(
            Dialect.builder(Dialects.getOpenApi31())
                    .keyword(new NonValidationKeyword(COMPONENTS))
                    .build(),
            settings -> settings.schemaRegistryConfig(
                    SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build()));
    private final Map<JsonNode, Schema> schemas = new ConcurrentHashMap<>();

    ApiDocument(JsonNode root) {
        this.root = root;
    }

    static ApiDocument parse(String json) {
        try {
            return new ApiDocument(JSON.readTree(json));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The template, without the version, of a path. */
    Optional<String> template(String path) {
        return at("/paths").properties().stream()
                .map(Map.Entry::getKey)
                .filter(template -> path.matches(VERSION + template.replaceAll("\\{[^}]*}", "[^/]+")))
                .findFirst();
    }

    /** The operation of a method and a path's template; HEAD is GET without the body. */
    Optional<JsonNode> operation(String method, String template) {
        String verb = (method.equals("HEAD") ? "GET" : method).toLowerCase(Locale.ROOT);
        return at("/paths").path(template).optional(verb);
    }

    JsonNode at(String pointer) {
        return resolve(root.at(pointer));
    }

    /** The target of a reference, or the node itself if it is none. */
    JsonNode resolve(JsonNode node) {
        return node.has("$ref") ? at(node.get("$ref").asText().substring(1)) : node;
    }

    /** The violations of a schema by the text of a header, which is parsed as the schema requires. */
    List<String> headerFaults(String name, JsonNode schema, String text) {
        String types = resolve(schema).path("type").toString();
        JsonNode value = TextNode.valueOf(text);
        if (!types.contains("string") && !text.isBlank()) {
            try {
                value = JSON.readTree(text);
            } catch (JsonProcessingException noNumber) {
                // The text violates the schema.
            }
        }
        return faults(name, schema, value);
    }

    /** The violations by a body of the schema for its content type. */
    List<String> bodyFaults(JsonNode content, String type, String body) {
        if (!content.has(type)) {
            return List.of("the content type is '" + type + "'");
        }
        try {
            return faults("body", content.get(type).get("schema"), JSON.readTree(body));
        } catch (JsonProcessingException e) {
            return List.of("the body is no JSON: " + e.getOriginalMessage());
        }
    }

    private List<String> faults(String name, JsonNode schema, JsonNode value) {
        return schemas.computeIfAbsent(schema, this::compile).validate(value).stream()
                .map(error -> name + error.getInstanceLocation() + " " + error.getMessage())
                .sorted()
                .toList();
    }

    /** Compiles a schema together with all others, to which it refers by their place in the document. */
    private Schema compile(JsonNode schema) {
        ObjectNode whole = schema.deepCopy();
        return registry.getSchema(whole.set(COMPONENTS, root.get(COMPONENTS)));
    }
}
