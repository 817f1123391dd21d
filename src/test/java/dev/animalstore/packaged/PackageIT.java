package dev.animalstore.packaged;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Artifact;
import dev.animalstore.process.Replica;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The content of the package, its bill of materials, and what is found on its ports. */
class PackageIT {
    /** Licences that allow distribution with the service. A library with several licences needs one of them. */
    private static final Predicate<String> ALLOWED = Pattern.compile(
                    "0BSD|Apache-2\\.0|BSD-2-Clause|BSD-3-Clause|CC0-1\\.0|EPL-2\\.0|MIT|MIT-0|Public Domain|UPL-1\\.0")
            .asMatchPredicate();

    private static List<JsonNode> libraries;

    @Test
    void package_containsNothingOfTheEmbeddedServers() throws IOException {
        assertNothingOfTheEmbeddedServers(Artifact.read().jars());
    }

    /** Checks all jars in a folder, one of which must be the application's. */
    static void assertNothingOfTheEmbeddedServers(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            List<String> entries = files.filter(file -> file.toString().endsWith(".jar"))
                    .flatMap(PackageIT::entries)
                    .toList();
            assertTrue(entries.stream().anyMatch(name -> name.endsWith("dev/animalstore/Main.class")));
            assertEquals(
                    List.of(),
                    entries.stream()
                            .filter(
                                    name -> name.matches(
                                            ".*(dev/animalstore/local|openapi-admin|zonky|redis/embedded|jedis|redis-server|\\.txz).*"))
                            .toList());
        }
    }

    @Test
    void operators_withoutATokenConfigured_areNotFound() {
        String[] paths = {
            "/admin",
            "/admin/keys",
            "/admin/keys/1",
            "/admin/nothing",
            "/console",
            "/console/sign-in",
            "/console/assets/style.css"
        };
        Replica replica = SharedReplicas.open();
        for (String path : paths) {
            HttpResponse<String> response = replica.operate("GET", path, "");
            assertEquals(404, response.statusCode());
            assertEquals("{\"code\":\"not_found\",\"message\":\"No such path.\",\"status\":404}", response.body());
            assertEquals(404, replica.status(path));
        }
        assertEquals(404, replica.status("/q/openapi/admin"));
    }

    /** As load balancers ask; HAProxy names no host. The line of a later request shows that the log is complete. */
    @Test
    void root_ofAReplicaThatIsReady_is200AndInNoLogAndMetric() throws Exception {
        Replica replica = SharedReplicas.open();
        for (String method : List.of("GET", "HEAD")) {
            replica.given()
                    .header("X-Request-Id", "from-a-balancer")
                    .request(method, "/")
                    .then()
                    .statusCode(200)
                    .body(equalTo(""))
                    .header("Cache-Control", "private")
                    .header("Date", notNullValue());
        }
        try (KeptConnection balancer = new KeptConnection(replica.port())) {
            String response = balancer.send("GET / HTTP/1.0\r\n\r\n").readToEnd();
            assertTrue(response.startsWith("HTTP/1.0 200 "), response);
        }
        replica.get("/v1/nothing", "X-Request-Id", "behind-the-balancer").join();
        Awaitility.await().until(() -> replica.log().contains("behind-the-balancer"));
        assertFalse(replica.log().contains("from-a-balancer"));
        assertFalse(replica.body("/q/metrics").contains("status=\"200\",uri=\"none\""));
    }

    @Test
    void operation_thatIsRemoved_isGone() {
        SharedReplicas.open()
                .given(TestKey.unlimited())
                .get("/v1/pets/1")
                .then()
                .statusCode(410)
                .header("Sunset", "Thu, 05 Dec 2030 00:00:00 GMT")
                .body("code", equalTo("gone"));
    }

    @Test
    void addition_withoutTheOperationThatReturnsOnePet_namesNoAddress() {
        SharedReplicas.open()
                .given(TestKey.unlimited())
                .contentType("application/json")
                .body("{\"name\":\"Rex\",\"categoryId\":7}")
                .post("/v1/pets")
                .then()
                .statusCode(201)
                .header("Location", nullValue())
                .body("name", equalTo("Rex"));
    }

    /** The first port is for customers, the second one for probes and Prometheus. */
    @Test
    void healthAndMetrics_areOnThePortOfManagementOnly() {
        Replica replica = Replica.shared(Map.of());
        for (String path :
                List.of("/q/health", "/q/health/live", "/q/health/ready", "/q/health/started", "/q/metrics")) {
            assertEquals(200, replica.status(path), path);
            assertEquals(404, replica.given().get(path).statusCode(), path);
        }
        for (String path : List.of("/q/openapi", "/q/swagger-ui/", "/explorer-enabled.js")) {
            assertEquals(200, replica.status(path), path);
        }
        for (String path : List.of("/v1/pets", "/admin/keys", "/console/sign-in", "/q/openapi")) {
            assertEquals(
                    404, RestAssured.get(replica.uri("/q/health").resolve(path)).statusCode(), path);
        }
    }

    /** Their names are those of the next version too. */
    @ParameterizedTest
    @ValueSource(strings = {"/q/swagger-ui/", "/q/swagger-ui/swagger-ui-bundle.js"})
    void filesOfSwaggerUi_areAskedForAgain(String path) {
        Response file = SharedReplicas.open().given().get(path);
        assertTrue(file.headers().getValues("Cache-Control").contains("no-cache"), file.headers()::toString);
        SharedReplicas.open()
                .given()
                .header("If-Modified-Since", file.header("Last-Modified"))
                .get(path)
                .then()
                .statusCode(304);
    }

    @Test
    void document_ofAServiceWithARelativeAddress_namesItAsItsOwnServer() {
        SharedReplicas.configured()
                .given()
                .accept("application/json")
                .get("/q/openapi")
                .then()
                .body("servers[0].url", equalTo("/v1"))
                .body("servers[0].description", equalTo("The server of this document"));
    }

    private static Stream<String> entries(Path file) {
        try (JarFile jar = new JarFile(file.toFile())) {
            return jar.stream().map(entry -> file.getFileName() + "!" + entry.getName()).toList().stream();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeAll
    static void read() throws IOException {
        JsonNode bill = new ObjectMapper()
                .readTree(Path.of("target", "bill-of-materials.json").toFile());
        assertEquals("CycloneDX", bill.path("bomFormat").textValue());
        libraries = stream(bill.path("components"))
                .filter(library -> stream(library.path("properties"))
                        .anyMatch(property -> property.path("value").asText().equals("runtime")))
                .toList();
    }

    @Test
    void library_inThePackage_isListedWithItsHash() throws IOException {
        Set<String> listed = libraries.stream()
                .filter(library -> !library.path("hashes").isEmpty())
                .map(PackageIT::fileName)
                .collect(Collectors.toSet());
        // Some jars of a native executable have another name, since the build changes their classes.
        try (Stream<Path> files = Files.walk(Artifact.read().jars().resolve("lib"))) {
            Set<String> packaged = files.map(
                            file -> file.getFileName().toString().replaceFirst("^modified-", ""))
                    .filter(name -> name.endsWith(".jar"))
                    .collect(Collectors.toSet());

            assertFalse(packaged.isEmpty());
            packaged.removeAll(listed);
            assertEquals(Set.of(), packaged);
        }
    }

    @Test
    void library_ofTheService_hasALicenceThatAllowsItsUse() {
        List<String> others = libraries.stream()
                .filter(library -> licences(library).noneMatch(ALLOWED))
                .map(library -> library.path("purl").asText() + " " + library.path("licenses"))
                .toList();

        assertEquals(List.of(), others);
    }

    /** The name that Quarkus gives a library's jar in the package. */
    private static String fileName(JsonNode library) {
        String classifier = library.path("purl").asText().replaceFirst("^[^?]*\\??", "");
        String suffix =
                classifier.contains("classifier=") ? "-" + classifier.replaceFirst(".*classifier=([^&]*).*", "$1") : "";
        return library.path("group").asText() + "." + library.path("name").asText() + "-"
                + library.path("version").asText() + suffix + ".jar";
    }

    private static Stream<String> licences(JsonNode library) {
        return stream(library.path("licenses"))
                .map(choice -> choice.path("license"))
                .map(licence -> licence.path("id").asText(licence.path("name").asText()));
    }

    private static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
