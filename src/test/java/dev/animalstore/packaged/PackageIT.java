package dev.animalstore.packaged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.process.Artifact;
import dev.animalstore.process.Replica;
import io.restassured.RestAssured;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The content of the package, and what is found on its ports. */
class PackageIT {
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
    void operators_withoutATokenConfigured_areNotFound() throws IOException {
        String[] paths = {
            "/admin", "/admin/keys", "/admin/keys/1", "/admin/nothing",
            "/console", "/console/sign-in", "/console/assets/style.css", "/"
        };
        try (Replica replica = Replica.start(Map.of("animalstore.admin.token", ""))) {
            for (String path : paths) {
                HttpResponse<String> response = replica.operate("GET", path, "");
                assertEquals(404, response.statusCode());
                assertEquals("{\"code\":\"not_found\",\"message\":\"No such path.\",\"status\":404}", response.body());
                assertEquals(404, replica.status(path));
            }
            assertEquals(404, replica.status("/q/openapi/admin"));
        }
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

    private static Stream<String> entries(Path file) {
        try (JarFile jar = new JarFile(file.toFile())) {
            return jar.stream().map(entry -> file.getFileName() + "!" + entry.getName()).toList().stream();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
