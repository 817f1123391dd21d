package dev.animalstore.web.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.animalstore.fixture.Independent;
import io.smallrye.openapi.api.SmallRyeOpenAPI;
import io.smallrye.openapi.model.Extensions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.jboss.jandex.Indexer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The documents of other services, as Quarkus has scanned them. */
@Independent
class ApiOperationsTest {
    private static final String PARCELS = """
            openapi: 3.1.0
            info: {title: Parcels, version: '2'}
            paths:
              /v1/parcels:
                get:
                  responses: {'200': {description: OK}}
                post:
                  requestBody: {content: {application/json: {}}}
                  security: []
                  responses: {'201': {description: Created}, '400': {description: Bad Request}, '429': {$ref: '#/components/responses/Slow'}}
              /hello:
                get:
                  responses: {'200': {description: OK}}
            components:
              responses:
                Error: {description: Ours.}
            """;

    @Test
    void operation_ofTheApi_hasWhatItDoesNotSayItself() throws IOException {
        JsonNode parcels = complete(PARCELS).at("/paths/~1v1~1parcels");

        assertEquals("[{\"bearerKey\":[]}]", parcels.at("/get/security").toString());
        assertEquals(
                "#/components/responses/Error",
                parcels.at("/get/responses/default/$ref").asText());
        assertEquals(8, parcels.at("/get/responses/200/headers").size());
        assertEquals("[]", parcels.at("/post/security").toString());
        assertEquals(
                "#/components/responses/InvalidBody",
                parcels.at("/post/responses/400/$ref").asText());
        assertEquals(
                "#/components/responses/PayloadTooLarge",
                parcels.at("/post/responses/413/$ref").asText());
        assertEquals(
                "#/components/responses/Slow",
                parcels.at("/post/responses/429/$ref").asText());
    }

    @Test
    void document_ofAService_keepsItsTitleAndItsComponents() throws IOException {
        JsonNode document = complete(PARCELS);

        assertEquals(
                "{\"title\":\"Parcels\",\"version\":\"2\"}",
                document.get("info").toString());
        assertEquals(
                "Ours.", document.at("/components/responses/Error/description").asText());
        assertEquals(
                "bearer",
                document.at("/components/securitySchemes/bearerKey/scheme").asText());
    }

    @Test
    void resource_outsideTheApi_isAsWithoutTheEngine() throws IOException {
        assertEquals(
                "{\"get\":{\"responses\":{\"200\":{\"description\":\"OK\"}}}}",
                complete(PARCELS).at("/paths/~1hello").toString());
    }

    /** Paths are relative to the address of a server. */
    @ParameterizedTest
    @CsvSource({
        "'[]',                                                        /v1/parcels, ''",
        "'[{url: https://a.example}]',                                /v1/parcels, ''",
        "'[{url: https://a.example/v1}]',                             /parcels,    /",
        "'[{url: https://a.example/v1}, {url: https://b.example}]',   /v1/parcels, ''",
    })
    void path_withTheAddressOfAServer_isThatOfTheResource(String servers, String path, String outside)
            throws IOException {
        JsonNode paths = complete(PARCELS + "servers: " + servers + "\n").get("paths");

        assertEquals(
                "bearerKey",
                paths.at("/" + path.replace("/", "~1") + "/get/security/0")
                        .fieldNames()
                        .next());
        assertEquals(outside, paths.at("/~1hello/servers/0/url").asText());
    }

    /** If a service replaces the packages that are not scanned, its customers would see the operations of operators. */
    @ParameterizedTest
    @ValueSource(strings = {"/admin/keys", "/console"})
    void operation_ofOperators_isRefused(String path) {
        String document = PARCELS.replace("/hello", path);

        Exception refused = assertThrows(IllegalStateException.class, () -> complete(document));
        assertEquals(
                "mp.openapi.scan.exclude.packages must be as the engine sets it, which excludes the operators' resources;"
                        + " exclude others by mp.openapi.scan.exclude.classes",
                refused.getMessage());
    }

    private static JsonNode complete(String yaml) throws IOException {
        SmallRyeOpenAPI scanned = SmallRyeOpenAPI.builder()
                .enableModelReader(false)
                .enableStandardStaticFiles(false)
                .enableAnnotationScan(false)
                .withCustomStaticFile(() -> new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .addFilter(new Scan())
                .addFilter(new ApiOperations(new Indexer().complete()))
                .build();
        return new ObjectMapper().readTree(scanned.toJSON());
    }

    /** Marks each operation as scanned. */
    private static final class Scan implements org.eclipse.microprofile.openapi.OASFilter {
        @Override
        public void filterOpenAPI(OpenAPI document) {
            document.getPaths()
                    .getPathItems()
                    .values()
                    .forEach(item -> item.getOperations()
                            .values()
                            .forEach(operation -> Extensions.setPrivateExtension(operation, "method-ref", "m1_1")));
        }
    }
}
