package dev.animalstore.packaged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.TestServers;
import dev.animalstore.local.LocalPostgres;
import dev.animalstore.process.Artifact;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The content of the package, and how it starts. */
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
    void start_withoutServersConfigured_endsWithALineForEachThatNamesTheVariable()
            throws IOException, InterruptedException {
        Process process =
                Artifact.read().process(Map.of()).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(1, process.waitFor());
        List<String> lines = said.lines().toList();
        assertEquals(2, lines.size(), said);
        assertTrue(lines.get(0).contains("QUARKUS_DATASOURCE_JDBC_URL="), said);
        assertTrue(lines.get(1).contains("QUARKUS_REDIS_HOSTS="), said);
    }

    /** The second value is that of a Secret made from a file, which ends in a line break. */
    @ParameterizedTest
    @ValueSource(strings = {"short-token", "long-enough-and-ended-by-a-line-break\n"})
    void start_withAnUnusableAdminToken_endsWithALineThatNamesTheVariableAndNotTheToken(String token)
            throws IOException, InterruptedException {
        Process process = start(Map.of("animalstore.admin.token", token));
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(1, process.waitFor());
        assertEquals(1, said.lines().count(), said);
        assertTrue(said.contains("ANIMALSTORE_ADMIN_TOKEN="), said);
        assertFalse(said.contains(token.strip()), said);
    }

    @Test
    void start_onAPortThatIsTaken_endsWithAnotherStatusThanATermination() throws IOException, InterruptedException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Process process = start(Map.of(
                    "quarkus.datasource.username",
                    LocalPostgres.USER,
                    "quarkus.http.host",
                    "127.0.0.1",
                    "quarkus.http.port",
                    Integer.toString(taken.getLocalPort())));
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(1, process.waitFor(), said);
            assertFalse(said.contains("termination"), said);
        }
    }

    @Test
    void start_withACacheTimeOfKeysOverAnHour_endsWithALineThatNamesTheMaximum()
            throws IOException, InterruptedException {
        Process process = start(Map.of("animalstore.keys.cache-time", "61m"));
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(1, process.waitFor());
        assertEquals(1, said.lines().count(), said);
        assertTrue(said.contains("animalstore.keys.cache-time is 61m"), said);
        assertTrue(said.contains("maximum of 1h"), said);
    }

    @Test
    void operators_withoutATokenConfigured_areNotFound() throws IOException, InterruptedException {
        try (Replica replica = Replica.start(Map.of())) {
            for (String path : List.of(
                    "/admin",
                    "/admin/keys",
                    "/admin/keys/1",
                    "/admin/nothing",
                    "/console",
                    "/console/sign-in",
                    "/console/assets/x/style.css",
                    "/")) {
                HttpResponse<String> response = replica.operate("GET", path, "");
                assertEquals(404, response.statusCode());
                assertEquals("{\"code\":\"not_found\",\"message\":\"No such path.\",\"status\":404}", response.body());
                assertEquals(404, replica.status(path));
            }
            assertEquals(404, replica.status("/q/openapi/admin"));
        }
    }

    @Test
    void health_ofARunningReplica_isUp() throws IOException, InterruptedException {
        try (Replica replica = Replica.start(Map.of())) {
            assertEquals(200, replica.status("/q/health/live"));
            assertEquals(200, replica.status("/q/health/ready"));
            assertEquals(200, replica.status("/q/swagger-ui/"));
            assertEquals(200, replica.status("/q/swagger-ui/explorer-enabled.js"));
        }
    }

    /** Starts the package with the tests' servers. */
    private static Process start(Map<String, String> properties) throws IOException {
        Map<String, String> all = new HashMap<>(properties);
        all.put("quarkus.datasource.jdbc.url", TestServers.jdbcUrl());
        all.put("quarkus.redis.hosts", TestServers.redis());
        return Artifact.read().process(all).redirectErrorStream(true).start();
    }

    private static Stream<String> entries(Path file) {
        try (JarFile jar = new JarFile(file.toFile())) {
            return jar.stream().map(entry -> file.getFileName() + "!" + entry.getName()).toList().stream();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
