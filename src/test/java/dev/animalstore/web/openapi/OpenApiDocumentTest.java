package dev.animalstore.web.openapi;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalToIgnoringCase;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The served document is the committed one, completed, and Swagger UI shows it. {@link ConstraintsTest} compares the document with the code. */
@QuarkusTest
public class OpenApiDocumentTest {
    private static final Set<String> HEADERS =
            Set.of(("X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset RateLimit-Policy"
                            + " RateLimit X-Request-Id Cache-Control X-Content-Type-Options")
                    .split(" "));

    @Test
    void served_hasAllOfTheCommittedOneAndDoesNotMentionOperators() throws IOException {
        ObjectMapper json = new ObjectMapper();
        json.configOverride(ArrayNode.class).setMergeable(false);
        JsonNode served =
                json.readTree(RestAssured.get("/q/openapi?format=json").asByteArray());
        JsonNode committed = read("META-INF/openapi.yaml");
        JsonNode engine = read("dev/animalstore/web/openapi/api.yaml");
        ((ArrayNode) committed.get("tags")).addAll((ArrayNode) engine.get("tags"));

        assertEquals(served, json.updateValue(served.deepCopy(), committed));
        assertEquals(
                Stream.concat(names(committed).stream(), names(engine).stream())
                        .filter(path -> !path.matches("/every|/authorize"))
                        .sorted()
                        .toList(),
                names(served));
        assertFalse(served.toString().matches(".*(admin|console).*"));
    }

    private static JsonNode read(String document) throws IOException {
        return new YAMLMapper().readTree(Files.readString(Path.of("src/main/resources", document)));
    }

    /** The paths of a document but for those of the resources of tests, which the packaged service does not have. */
    private static List<String> names(JsonNode document) {
        return document.get("paths").properties().stream()
                .map(Map.Entry::getKey)
                .filter(path -> !path.matches("/samples.*"))
                .sorted()
                .toList();
    }

    @Test
    void responses_listTheHeadersOfEveryResponse() {
        Map<String, Map<String, Map<String, Object>>> responses =
                RestAssured.get("/q/openapi?format=json").path("components.responses");

        responses.forEach((name, response) ->
                assertTrue(response.getOrDefault("headers", Map.of()).keySet().containsAll(HEADERS), name));
    }

    /** A page of any origin may read it. */
    @ParameterizedTest
    @CsvSource({
        "GET, application/json, application/json",
        "GET, application/yaml, application/yaml",
        "HEAD, */*, application/yaml",
        "GET, Application/JSON, application/json",
        "GET, application/vnd.oai.openapi+json;version=3.1, application/json",
        "GET, 'application/json;q=0, application/yaml', application/yaml",
        "GET, application/json;q=0, application/yaml",
        "GET, 'application/json;q=0.5, application/yaml', application/yaml",
        "GET, ';q=x', application/yaml"
    })
    void document_isServedByAcceptAndToEveryPage(String method, String accept, String type) {
        RestAssured.given()
                .headers("Accept", accept, "Origin", "https://app.example")
                .request(method, "/q/openapi")
                .then()
                .statusCode(200)
                .header("Content-Type", startsWith(type))
                .header("Vary", equalToIgnoringCase("Accept"))
                .header("Access-Control-Allow-Origin", "*");
    }

    @Test
    void swaggerUi_asksNoValidator() {
        RestAssured.get("/q/swagger-ui/").then().body(containsString("validatorUrl: 'none'"));
    }
}
