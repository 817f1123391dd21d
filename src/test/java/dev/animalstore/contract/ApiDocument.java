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
import dev.animalstore.contract.Exchange.Message;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

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

    /** Whether any operation has this path. */
    boolean knows(String path) {
        return templates().anyMatch(template -> values(template, path).isPresent());
    }

    /** The operation that a request is for; HEAD is GET without the body. */
    Optional<Operation> find(String method, String path) {
        String verb = (method.equals("HEAD") ? "GET" : method).toLowerCase(Locale.ROOT);
        return templates()
                .flatMap(template -> values(template, path).stream()
                        .map(values -> new Operation(
                                template, at("/paths").path(template).path(verb), values)))
                .filter(operation -> operation.node().isObject())
                .findFirst();
    }

    /** The node at a JSON pointer. */
    JsonNode at(String pointer) {
        return resolve(root.at(pointer));
    }

    /** The target of a reference, or the node itself if it is none. */
    JsonNode resolve(JsonNode node) {
        return node.has("$ref") ? at(node.get("$ref").asText().substring(1)) : node;
    }

    /** The violations of a schema by the text of a parameter or header. */
    List<String> faults(String name, JsonNode schema, String text) {
        return faults(name, schema, read(schema, text));
    }

    /** The violations by a message's body of the schema for its content type. */
    List<String> faults(JsonNode content, Message message) {
        String type = message.mediaType();
        if (!content.has(type)) {
            return List.of("the content type is '" + type + "'");
        }
        try {
            return faults("body", content.get(type).get("schema"), JSON.readTree(message.body()));
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

    /** Parses the text of a parameter or header as its schema requires. */
    private JsonNode read(JsonNode schema, String text) {
        String types = resolve(schema).path("type").toString();
        try {
            return types.contains("string") || text.isBlank() ? TextNode.valueOf(text) : JSON.readTree(text);
        } catch (JsonProcessingException noNumber) {
            return TextNode.valueOf(text);
        }
    }

    private Stream<String> templates() {
        return at("/paths").properties().stream().map(Map.Entry::getKey);
    }

    /** The values of a template's parameters in a path, if the path matches the template. */
    private static Optional<Map<String, String>> values(String template, String path) {
        String[] expected = (VERSION + template).split("/", -1);
        String[] given = path.split("/", -1);
        if (expected.length != given.length) {
            return Optional.empty();
        }
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < given.length; i++) {
            if (expected[i].startsWith("{") && !given[i].isEmpty()) {
                values.put(expected[i].substring(1, expected[i].length() - 1), decode(given[i]));
            } else if (!expected[i].equals(given[i])) {
                return Optional.empty();
            }
        }
        return Optional.of(values);
    }

    private static String decode(String segment) {
        return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
