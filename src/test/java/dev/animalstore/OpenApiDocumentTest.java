package dev.animalstore;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The served document is the committed one, and agrees with the code. */
@QuarkusTest
class OpenApiDocumentTest {
    private static final java.nio.file.Path COMMITTED =
            java.nio.file.Path.of("src/main/resources/META-INF/openapi.yaml");
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void served_equalsTheCommittedOneButForTheServers() throws IOException {
        ObjectNode served = served();
        ObjectNode committed = (ObjectNode) new YAMLMapper().readTree(Files.readString(COMMITTED));

        assertThat(served.without("servers"), equalTo(committed.without("servers")));
    }

    @Test
    void operations_areThoseOfTheInterface() throws IOException {
        assertThat(
                operations(served()),
                containsInAnyOrder(
                        "GET /v1/pets listPets",
                        "POST /v1/pets createPet",
                        "GET /v1/pets/{petId} getPet",
                        "GET /v1/store/orders listOrders"));
    }

    @Test
    void operations_areTheMethodsOfTheResources() throws IOException {
        assertThat(operations(served()), equalTo(resourceMethods()));
    }

    @Test
    void operations_withTryItOut_excludeOrders() throws IOException {
        assertThat(
                served().at("/paths/~1store~1orders/get/x-explorer-enabled"),
                equalTo(JSON.getNodeFactory().booleanNode(false)));
    }

    @Test
    void deprecated_isGetPetOnly() throws IOException {
        List<String> deprecated = new ArrayList<>();
        served().get("paths")
                .forEach(path -> path.forEach(operation -> {
                    if (operation.path("deprecated").asBoolean()) {
                        deprecated.add(operation.get("operationId").asText());
                    }
                }));

        assertThat(deprecated, equalTo(List.of("getPet")));
    }

    @ParameterizedTest
    @CsvSource({
        "ErrorCode, dev.animalstore.error.ErrorCode",
        "PetStatus, dev.animalstore.pet.PetStatus",
        "OrderStatus, dev.animalstore.order.OrderStatus"
    })
    void enumeration_hasTheConstantsOfTheCode(String schema, Class<? extends Enum<?>> type) throws IOException {
        JsonNode published = served().at("/components/schemas/" + schema + "/enum");

        assertThat(published, equalTo(JSON.valueToTree(type.getEnumConstants())));
    }

    @Test
    void document_doesNotMentionTheOperatorsApi() {
        RestAssured.get("/q/openapi").then().statusCode(200).body(not(containsString("/admin")));
    }

    @Test
    void swaggerUi_isServed() {
        RestAssured.get("/q/swagger-ui/")
                .then()
                .statusCode(200)
                .header("Content-Type", startsWith("text/html"))
                .body(containsString("swagger-ui"));
    }

    @Test
    void swaggerUi_loadsThePluginThatReadsExplorerEnabled() {
        RestAssured.get("/q/swagger-ui/")
                .then()
                .statusCode(200)
                .body(containsString("<script src=\"explorer-enabled.js\"></script>"))
                .body(containsString("plugins: [SwaggerUIBundle.plugins.DownloadUrl, ExplorerEnabled]"));
        RestAssured.get("/q/swagger-ui/explorer-enabled.js")
                .then()
                .statusCode(200)
                .header("Content-Type", startsWith("text/javascript"))
                .body(containsString("const ExplorerEnabled ="));
    }

    private static ObjectNode served() throws IOException {
        return (ObjectNode) JSON.readTree(RestAssured.get("/q/openapi?format=json")
                .then()
                .statusCode(200)
                .extract()
                .asByteArray());
    }

    /** Method, path and identifier of each operation in the document. */
    private static Set<String> operations(JsonNode document) {
        Set<String> operations = new TreeSet<>();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue().properties().stream()
                        .filter(member -> member.getValue().has("operationId"))
                        .forEach(operation -> operations.add(operation.getKey().toUpperCase(Locale.ROOT) + " /v1"
                                + path.getKey() + " "
                                + operation.getValue().get("operationId").asText())));
        return operations;
    }

    /** Method, path and name of each method that Quarkus serves under {@code /v1}. */
    private static Set<String> resourceMethods() {
        Set<String> operations = new TreeSet<>();
        for (JavaClass resource : new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.animalstore")) {
            String base =
                    resource.tryGetAnnotationOfType(Path.class).map(Path::value).orElse("");
            if (!base.startsWith("/v1")) {
                continue;
            }
            for (JavaMethod method : resource.getMethods()) {
                httpMethod(method)
                        .ifPresent(
                                verb -> operations.add(verb + " " + base + subPath(method) + " " + method.getName()));
            }
        }
        return operations;
    }

    private static Optional<String> httpMethod(JavaMethod method) {
        return method.getAnnotations().stream()
                .flatMap(annotation ->
                        annotation
                                .getRawType()
                                .tryGetAnnotationOfType(HttpMethod.class)
                                .map(HttpMethod::value)
                                .stream())
                .findFirst();
    }

    private static String subPath(JavaMethod method) {
        return method.tryGetAnnotationOfType(Path.class)
                .map(path -> "/" + path.value())
                .orElse("");
    }
}
