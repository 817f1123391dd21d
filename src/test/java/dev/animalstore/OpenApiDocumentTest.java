package dev.animalstore;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
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
    void operations_areThoseOfTheInterfaceAndOfTheResources() throws IOException {
        Set<String> documented = new TreeSet<>();
        served().get("paths").forEach(path -> documented.addAll(path.findValuesAsText("operationId")));

        assertThat(documented, equalTo(Set.of("listPets", "createPet", "getPet", "listOrders")));
        assertThat(documented, equalTo(methodsOfTheResources()));
    }

    @Test
    void operations_withTryItOut_excludeOrders() throws IOException {
        assertThat(served().at("/paths/~1store~1orders/get/x-explorer-enabled"), equalTo(BooleanNode.FALSE));
    }

    @Test
    void deprecated_isGetPetOnly() throws IOException {
        JsonNode paths = served().get("paths");

        assertThat(paths.findParents("deprecated"), equalTo(List.of(paths.at("/~1pets~1{petId}/get"))));
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
    void swaggerUi_loadsThePluginThatReadsExplorerEnabled() {
        RestAssured.get("/q/swagger-ui/")
                .then()
                .statusCode(200)
                .header("Content-Type", startsWith("text/html"))
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

    /** The names of the methods that Quarkus serves under {@code /v1}. */
    private static Set<String> methodsOfTheResources() {
        return new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.animalstore").stream()
                        .filter(type -> type.isAnnotatedWith(Path.class)
                                && type.getAnnotationOfType(Path.class).value().startsWith("/v1"))
                        .flatMap(resource -> resource.getMethods().stream())
                        .filter(method -> method.isMetaAnnotatedWith(HttpMethod.class))
                        .map(JavaMethod::getName)
                        .collect(Collectors.toSet());
    }
}
