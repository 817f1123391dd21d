package dev.animalstore.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.local.LocalPostgres;
import dev.animalstore.process.Artifact;
import dev.animalstore.process.Replica;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The package reads settings from every source that Quarkus supports, and refuses unsafe ones from each. */
class ConfigurationIT {
    private static final String TOO_SHORT = "short";

    /** A source of settings. */
    enum Source {
        ENVIRONMENT,
        SYSTEM_PROPERTIES,
        CONFIG_FOLDER,
        DOT_ENV,
        MOUNTED_FILE;

        /** A process of the package in a folder, with settings from this source only. */
        ProcessBuilder process(Path folder, Map<String, String> settings) throws IOException {
            Artifact artifact = Artifact.read();
            ProcessBuilder process = artifact.process(Map.of());
            switch (this) {
                case ENVIRONMENT -> process = artifact.process(settings);
                case SYSTEM_PROPERTIES ->
                    process.command(artifact.command(settings.entrySet().stream()
                            .map(setting -> "-D" + setting)
                            .toList()));
                case CONFIG_FOLDER -> write(folder.resolve("config").resolve("application.properties"), settings);
                case DOT_ENV ->
                    write(
                            folder.resolve(".env"),
                            settings.entrySet().stream()
                                    .collect(Collectors.toMap(
                                            setting -> Artifact.variable(setting.getKey()), Map.Entry::getValue)));
                case MOUNTED_FILE -> {
                    Path file = folder.resolve("mounted").resolve("settings.properties");
                    write(file, settings);
                    process = artifact.process(Map.of("quarkus.config.locations", file.toString()));
                }
            }
            return process.directory(folder.toFile());
        }

        private static void write(Path file, Map<String, String> settings) throws IOException {
            Files.createDirectories(file.getParent());
            Files.write(file, settings.entrySet().stream().map(Object::toString).toList());
        }
    }

    @ParameterizedTest
    @EnumSource
    void settings_fromEverySource_start(Source source, @TempDir Path folder) throws Exception {
        int port = Replica.freePort();

        try (Replica replica = Replica.start(source.process(folder, settings(port, Operator.TOKEN)), port)) {
            assertEquals(200, replica.operate("GET", "/admin/keys", "").statusCode());
        }
    }

    @ParameterizedTest
    @EnumSource
    void token_thatIsTooShort_isRefusedFromEverySource(Source source, @TempDir Path folder) throws Exception {
        Process process = source.process(folder, settings(Replica.freePort(), TOO_SHORT))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertEquals(1, process.waitFor());
        assertEquals(1, said.lines().count(), said);
        assertTrue(said.startsWith("Not started: animalstore.admin.token is shorter than 32 characters."), said);
    }

    @Test
    void variables_ofTheManifests_start() throws Exception {
        Manifests manifests = Manifests.read(Path.of("target", "kubernetes", "base", "kubernetes.yml"));
        Container container = manifests
                .get(Deployment.class)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0);
        Map<String, String> variables =
                new HashMap<>(manifests.get(ConfigMap.class).getData());
        for (EnvVar variable : container.getEnv()) {
            variables.put(variable.getName(), String.valueOf(variable.getValue()));
        }

        assertStarts(variables, "live");
    }

    @Test
    void variables_ofTheComposition_start() throws Exception {
        Map<String, String> variables = new YAMLMapper()
                .convertValue(
                        new YAMLMapper()
                                .readTree(Path.of("src", "main", "docker", "compose.yaml")
                                        .toFile())
                                .at("/services/service/environment"),
                        new TypeReference<>() {});

        assertStarts(variables, "test");
    }

    /** Starts the package with variables; those for servers and secrets get the values of the tests. */
    private static void assertStarts(Map<String, String> variables, String environment) throws Exception {
        int port = Replica.freePort();
        Map<String, String> ofTheTests = settings(port, Operator.TOKEN).entrySet().stream()
                .collect(Collectors.toMap(setting -> Artifact.variable(setting.getKey()), Map.Entry::getValue));
        Set<String> taken = Set.of(
                "QUARKUS_DATASOURCE_JDBC_URL",
                "QUARKUS_DATASOURCE_USERNAME",
                "QUARKUS_DATASOURCE_PASSWORD",
                "QUARKUS_REDIS_HOSTS",
                "ANIMALSTORE_ADMIN_TOKEN");
        assertTrue(variables.keySet().containsAll(taken), variables::toString);
        ProcessBuilder process = Artifact.read().process(Map.of());
        process.environment().putAll(variables);
        for (String variable : taken) {
            process.environment().put(variable, ofTheTests.getOrDefault(variable, "any"));
        }
        // Settings that suit a container only.
        for (String variable : List.of("QUARKUS_HTTP_HOST", "QUARKUS_HTTP_PORT", "QUARKUS_SHUTDOWN_DELAY")) {
            process.environment().put(variable, ofTheTests.get(variable));
        }
        try (Replica replica = Replica.start(process, port)) {
            String issued = replica.operate("POST", "/admin/keys", "{\"owner\":\"configuration\",\"plan\":\"free\"}")
                    .body();
            assertTrue(issued.contains("\"ask_" + environment + "_"), issued);
        }
    }

    private static Map<String, String> settings(int port, String token) {
        return Map.of(
                "quarkus.datasource.jdbc.url",
                TestServers.jdbcUrl(),
                "quarkus.datasource.username",
                LocalPostgres.USER,
                "quarkus.redis.hosts",
                TestServers.redis(),
                "quarkus.http.host",
                "127.0.0.1",
                "quarkus.http.port",
                Integer.toString(port),
                "quarkus.shutdown.delay",
                "0s",
                "animalstore.admin.token",
                token);
    }
}
