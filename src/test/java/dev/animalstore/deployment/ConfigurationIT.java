package dev.animalstore.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.local.LocalPostgres;
import dev.animalstore.process.Artifact;
import dev.animalstore.process.Replica;
import dev.animalstore.process.Settings;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The package reads settings from every source that Quarkus supports, and refuses unsafe ones from each. */
class ConfigurationIT {
    private static final String ADMIN_TOKEN = "ANIMALSTORE_ADMIN_TOKEN";
    private static final Path KUBERNETES = Path.of("target", "kubernetes");

    private static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("quarkus.datasource.jdbc.url", TestServers.jdbcUrl()),
            Map.entry("quarkus.datasource.username", LocalPostgres.USER),
            Map.entry("quarkus.redis.hosts", TestServers.redis()),
            Map.entry("animalstore.admin.token", Operator.TOKEN));

    /** Each source has another setting that is out of its bounds, and the environment two; only one has servers. */
    @Test
    void settings_ofEverySource_areReadAndRefusedIfUnsafe(@TempDir Path folder) throws Exception {
        String rule = "animalstore.ban.";
        Map<String, String> servers = with(Map.of(rule + "forgotten-after", "0s"));
        Path config = Files.createDirectory(folder.resolve("config")).resolve("application.properties");
        Files.write(config, servers.entrySet().stream().map(Object::toString).toList());
        Files.writeString(folder.resolve(".env"), Artifact.variable(rule + "longest") + "=0s");
        Path mounted = Files.writeString(folder.resolve("mounted.properties"), rule + "strikes-per-limit=0");
        Map<String, String> variables = Map.ofEntries(
                Map.entry(rule + "strike-window", "0s"),
                Map.entry("animalstore.admin.token", "short"),
                Map.entry("quarkus.config.locations", mounted.toString()));
        Stream<String> rules = Stream.of("first", "forgotten-after", "longest", "strike-window", "strikes-per-limit")
                .map(name -> "Not started: " + rule + name + " must be .*" + Artifact.variable(rule + name));
        String token =
                "Not started: animalstore\\.admin\\.token must be at least 32 characters .*ANIMALSTORE_ADMIN_TOKEN";
        assertRefused(
                Artifact.read().process(variables, "-D" + rule + "first=0s").directory(folder.toFile()),
                Stream.concat(Stream.of(token), rules).toArray(String[]::new));
    }

    /** As {@code envFrom} sets them, whose entries have names in lower case. */
    @Test
    void operators_ofVariablesAlone_areNamedInTheAudit() throws Exception {
        String start = "ANIMALSTORE_ADMIN_TOKENS_";
        Map<String, String> names = Map.of("ALICE_2", "alice-2", "billing", "billing", "x_y_3", "x-y-3");
        Consumer<ProcessBuilder> variables = process ->
                names.forEach((variable, name) -> process.environment().put(start + variable, token(name)));
        try (Replica replica = Replica.start(Map.of("animalstore.admin.token", ""), variables)) {
            for (String name : names.values()) {
                assertEquals(200, replica.status("/admin/keys", new TestKey(0, token(name))));
                String line = "action=listKeys key=none owner= outcome=200 operator=" + name + " address=";
                Awaitility.await().until(() -> replica.audits(line).size() == 1);
            }
            assertEquals(List.of(), replica.messages("of no setting"));
        }
    }

    private static String token(String name) {
        return name + "-\\$${x}-of-an-operator-who-is-named";
    }

    @Test
    @Tag("long")
    void start_withADatabaseThatIsSilent_endsAfterTenSeconds() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/animals";
            assertRefused(
                    Artifact.read().process(with(Map.of("quarkus.datasource.jdbc.url", url))),
                    "Not started: PostgreSQL refuses: Connection attempt timed out\\. .* QUARKUS_DATASOURCE_JDBC_URL\\. It is .*");
        }
    }

    /** Flyway does not connect here, so it is the service's own log-in that is refused. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            quarkus.datasource.jdbc.url | jdbc:postgresql://127.0.0.1:1/animals?password=x | .*refused.* QUARKUS_DATASOURCE_JDBC_URL\\. It is jdbc:postgresql://127\\.0\\.0\\.1:1/animals
            quarkus.datasource.username | nobody                                           | .*"nobody".* QUARKUS_DATASOURCE_USERNAME .*
            quarkus.datasource.jdbc.url | URL/template1                                    | ERROR: relation .* does not exist\\. .*ANIMALSTORE_MIGRATION_ONLY=true.*
            """)
    void start_withoutMigrations_stopsIfTheServiceCannotReadTheDatabase(String property, String value, String fault)
            throws Exception {
        String actual = value.replace("URL", TestServers.jdbcUrl().replaceFirst("/[^/]+$", ""));
        List<String> said = refusal(
                Artifact.read().process(with(Map.of("quarkus.flyway.migrate-at-start", "false", property, actual))));
        assertEquals(
                1,
                said.stream()
                        .filter(line -> line.matches("Not started: PostgreSQL refuses: " + fault))
                        .count(),
                said::toString);
        assertFalse(said.toString().contains("password="), said::toString);
    }

    @Test
    void start_onAPortThatIsTaken_isOneLineAndEndsWithAnotherStatusThanATermination() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            Map<String, String> occupied = with(Map.of("quarkus.http.host", "127.0.0.1", "quarkus.http.port", port));
            List<String> said = refusal(Artifact.read().process(occupied));
            assertFalse(said.toString().contains("termination"), said::toString);
            assertFalse(said.toString().contains("\"frames\":"), said::toString);
            assertTrue(
                    said.stream().anyMatch(line -> line.matches("Not started: .*QUARKUS_HTTP_PORT.*")), said::toString);
        }
    }

    /** Of the kind that Java knows and PostgreSQL does not; which ones these are depends on PostgreSQL's installation. */
    @Test
    void start_inATimeZoneThatPostgresqlDoesNotKnow_serves() throws Exception {
        try (Replica replica =
                Replica.start(Map.of(), process -> process.environment().put("TZ", "PLT"))) {
            assertEquals(200, replica.status("/"));
        }
    }

    /** The name servers are a pipe that nobody writes to. */
    @Test
    void start_whileNoNameServerResponds_isNotDelayed(@TempDir Path folder) throws Exception {
        assumeFalse(Artifact.read().isNative(), "An executable does not read this file.");
        Path silent = folder.resolve("silent");
        assertEquals(0, new ProcessBuilder("mkfifo", silent.toString()).start().waitFor());
        try (Replica replica = Replica.start(
                Map.of(), process -> process.environment().remove("HOSTNAME"), "-Djdk.net.hosts.file=" + silent)) {
            assertEquals(
                    201,
                    replica.operate("POST", "/admin/keys", "{\"owner\":\"names\",\"plan\":\"free\"}")
                            .statusCode());
        }
    }

    private static Map<String, String> with(Map<String, String> others) {
        Map<String, String> all = new HashMap<>(SETTINGS);
        all.putAll(others);
        return all;
    }

    /** Checks that a process ends because of its settings, and writes only lines of these patterns. */
    private static void assertRefused(ProcessBuilder process, String... patterns) throws Exception {
        List<String> said = refusal(process).stream().sorted().toList();
        assertEquals(patterns.length, said.size(), said::toString);
        for (int i = 0; i < patterns.length; i++) {
            assertTrue(said.get(i).matches(patterns[i]), said::toString);
        }
    }

    /** What a process says that ends because of its settings. */
    private static List<String> refusal(ProcessBuilder process) throws Exception {
        Process started = process.redirectErrorStream(true).start();
        List<String> said = started.inputReader(StandardCharsets.UTF_8).lines().toList();
        assertEquals(1, started.waitFor(), said::toString);
        return said;
    }

    @Test
    void variables_ofTheManifests_serveCustomers() throws Exception {
        try (Replica replica = start(ofTheManifests(), null)) {
            assertEquals(401, replica.status("/v1/pets"));
            assertEquals(404, replica.status("/admin/keys"));
            assertEquals(404, replica.status("/console"));
        }
    }

    @Test
    void variables_ofTheManifests_serveOperators() throws Exception {
        Map<String, String> variables = ofTheManifests();
        JsonNode operators = Manifests.read(KUBERNETES.resolve(Path.of("operators", "operators.yaml")))
                .at("Deployment", "/spec/template/spec/containers/0");
        operators
                .get("env")
                .forEach(variable -> variables.put(
                        variable.get("name").asText(), variable.get("value").asText()));
        String prefix = operators.at("/envFrom/1/prefix").asText();
        variables.put(prefix + "billing", token("billing"));
        try (Replica replica = start(variables, prefix + "alice")) {
            assertIssues(replica, "live");
            assertEquals(404, replica.status("/v1/pets"));
        }
    }

    private static Map<String, String> ofTheManifests() throws Exception {
        Manifests manifests = Manifests.read(KUBERNETES.resolve(Path.of("public", "kubernetes.yml")));
        Map<String, String> variables = strings(manifests.at("ConfigMap", "/data"));
        manifests
                .at("Deployment", "/spec/template/spec/containers/0/env")
                .forEach(variable -> variables.put(variable.get("name").asText(), "from a Secret"));
        return variables;
    }

    @Test
    void variables_ofTheComposition_start() throws Exception {
        JsonNode composition = new YAMLMapper()
                .readTree(Path.of("src", "main", "docker", "compose.yaml").toFile());

        try (Replica replica = start(strings(composition.at("/services/service/environment")), ADMIN_TOKEN)) {
            assertIssues(replica, "test");
        }
    }

    private static Map<String, String> strings(JsonNode object) {
        return new YAMLMapper().convertValue(object, new TypeReference<>() {});
    }

    /** The package with variables, of which those for servers, secrets and a token, if there is one, get the values of the tests. */
    private static Replica start(Map<String, String> variables, String token) throws Exception {
        Map<String, String> ofTheTests = new HashMap<>(Map.of("QUARKUS_DATASOURCE_PASSWORD", "any"));
        SETTINGS.forEach((property, value) -> ofTheTests.put(Artifact.variable(property), value));
        String operator = ofTheTests.remove(ADMIN_TOKEN);
        assertTrue(variables.keySet().containsAll(ofTheTests.keySet()), variables::toString);
        if (token != null) {
            ofTheTests.put(token, operator);
        }
        int port = Settings.freePort();
        ProcessBuilder process = Artifact.read()
                .process(Map.of(
                        "quarkus.http.host", "127.0.0.1",
                        "quarkus.http.port", Integer.toString(port),
                        "quarkus.shutdown.delay", "0s"));
        process.environment().putAll(variables);
        process.environment().putAll(ofTheTests);
        return Replica.start(process, port);
    }

    private static void assertIssues(Replica replica, String environment) throws Exception {
        String issued = replica.operate("POST", "/admin/keys", "{\"owner\":\"configuration\",\"plan\":\"free\"}")
                .body();
        assertTrue(issued.contains("\"ask_" + environment + "_"), issued);
    }
}
