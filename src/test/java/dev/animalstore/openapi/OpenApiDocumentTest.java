package dev.animalstore.openapi;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.anyOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The served document is the committed one, and Swagger UI shows it. {@link ConstraintsTest} compares the document with the code. */
@QuarkusTest
public class OpenApiDocumentTest {
    @Test
    void served_equalsTheCommittedOneButForTheServersAndDoesNotMentionOperators() throws IOException {
        ObjectNode served = (ObjectNode) new ObjectMapper()
                .readTree(RestAssured.get("/q/openapi?format=json").asByteArray());
        ObjectNode committed = (ObjectNode)
                new YAMLMapper().readTree(Files.readString(Path.of("src/main/resources/META-INF/openapi.yaml")));

        assertThat(served.without("servers"), equalTo(committed.without("servers")));
        assertThat(served.toString(), not(anyOf(containsString("admin"), containsString("console"))));
    }

    @Test
    void swaggerUi_loadsThePluginThatReadsExplorerEnabled() {
        RestAssured.get("/q/swagger-ui/")
                .then()
                .statusCode(200)
                .header("Content-Type", startsWith("text/html"))
                .body(containsString("<script src=\"/explorer-enabled.js\"></script>"))
                .body(containsString("plugins: [SwaggerUIBundle.plugins.DownloadUrl, ExplorerEnabled]"));
        RestAssured.get("/explorer-enabled.js")
                .then()
                .statusCode(200)
                .header("Content-Type", startsWith("text/javascript"))
                .body(containsString("const ExplorerEnabled ="));
    }
}
