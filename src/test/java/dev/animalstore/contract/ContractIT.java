package dev.animalstore.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import dev.animalstore.process.Settings;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The document and the packaged service, tested with well-known tools: linters, a generator of requests, a proxy that refuses everything
 * undocumented, and generated clients.
 */
@EnabledIfSystemProperty(named = "contract.tools", matches = ".+", disabledReason = "needs Node's tools: see .ci/run")
class ContractIT {
    private static final Path SOURCES = Path.of("src", "test", "contract");
    private static final Path OUTPUT = Path.of("target", "contract");
    private static final String DOCUMENT = "src/main/resources/META-INF/openapi.yaml";
    private static final String OPERATORS_DOCUMENT = "src/main/resources/META-INF/openapi-admin.yaml";
    private static final int MINUTES = 10;
    private static final Pattern ALL_SUCCEEDED = Pattern.compile("Tests run: (\\d+), Successes: \\1, Failures: 0,");

    private static Replica replica;

    @BeforeAll
    static void start() throws IOException {
        replica = Replica.shared(Map.of());
        Files.createDirectories(OUTPUT);
    }

    @Test
    void documents_lintedBySpectral_haveNoFindings() throws IOException, InterruptedException {
        String rules = "--ruleset=" + SOURCES.resolve("spectral.yaml");
        run("spectral", Map.of(), "spectral", "lint", "--fail-severity=hint", rules, DOCUMENT, OPERATORS_DOCUMENT);
    }

    @Test
    void documents_lintedByRedocly_haveNoFindings() throws IOException, InterruptedException {
        String rules = "--config=" + SOURCES.resolve("redocly.yaml");
        run("redocly", Map.of(), "redocly", "lint", rules, DOCUMENT, OPERATORS_DOCUMENT);
    }

    @Test
    void requests_generatedFromTheDocument_getResponsesAsDocumented() throws IOException, InterruptedException {
        Files.writeString(
                OUTPUT.resolve("openapi.json"), documentForTheGenerator().toPrettyString());

        String said = run(
                "specmatic",
                Map.of("bearerKey", TestKey.unlimited().text()),
                ofJdk("java"),
                "-jar",
                SOURCES.resolve("node_modules/specmatic/specmatic.jar").toString(),
                "test",
                "--config=" + SOURCES.resolve("specmatic.yaml"),
                "--testBaseURL=" + replica.uri("/v1"));

        Matcher tests = ALL_SUCCEEDED.matcher(said);
        assertTrue(tests.find() && Integer.parseInt(tests.group(1)) > 300, said);
    }

    @Test
    void javaClient_generatedFromTheDocument_works() throws IOException, InterruptedException {
        String classes = OUTPUT.resolve("java").toString();
        String libraries = System.getProperty("java.class.path");
        String client = OUTPUT.resolve("java-client/src/main/java").toString();
        String customer = SOURCES.resolve("java/Customer.java").toString();
        run(
                "javac",
                Map.of(),
                ofJdk("javac"),
                "-proc:none",
                "-encoding",
                "UTF-8",
                "-d",
                classes,
                "-classpath",
                libraries,
                "-sourcepath",
                client,
                customer);

        runThroughProxy(
                "java-client", ofJdk("java"), "-classpath", classes + File.pathSeparator + libraries, "Customer");
    }

    @Test
    void typeScriptClient_generatedFromTheDocument_works() throws IOException, InterruptedException {
        run("tsc", Map.of(), "tsc", "--project", SOURCES.resolve("typescript").toString());

        Path customer = OUTPUT.resolve("typescript").resolve(SOURCES).resolve("typescript/customer.js");
        runThroughProxy("typescript-client", "node", customer.toString());
    }

    /** The served document, adapted to what a generator of requests cannot know. */
    private static ObjectNode documentForTheGenerator() throws IOException, InterruptedException {
        ObjectNode document = (ObjectNode) new ObjectMapper().readTree(replica.body("/q/openapi?format=json"));
        // The tool counts UTF-16 units, not characters, and other tests add the longest names.
        TestDatabase.changePets("truncate pet cascade");
        // Which animals exist: these, and none with the next lower or higher identifier.
        List<Long> pets = TestDatabase.addPets(32, "available");
        long first = pets.get(0);
        long last = pets.get(pets.size() - 1);
        TestDatabase.changePets("delete from pet where id in (" + first + ", " + last + ")");
        document.withObject("/components/parameters/PetId").remove("example");
        document.withObject("/components/parameters/PetId/schema")
                .put("minimum", first + 1)
                .put("maximum", last - 1);
        // The bounds of an int64, which the document does not repeat.
        document.withObject("/components/schemas/NewPet/properties/categoryId")
                .put("minimum", Long.MIN_VALUE)
                .put("maximum", Long.MAX_VALUE);
        // That cursors come only from Link headers, which tags are current, and that an Idempotency-Key is valid for
        // one body.
        Set<String> unknowable = Stream.of("PetCursor", "OrderCursor", "IfMatch", "IdempotencyKey")
                .map(name -> "#/components/parameters/" + name)
                .collect(Collectors.toSet());
        document.findValues("parameters").stream()
                .filter(JsonNode::isArray)
                .map(ArrayNode.class::cast)
                .forEach(parameters -> parameters.removeIf(
                        parameter -> unknowable.contains(parameter.path("$ref").asText())));
        return document;
    }

    /** Runs a client through a proxy that refuses undocumented requests and responses. */
    private static void runThroughProxy(String name, String... client) throws IOException, InterruptedException {
        // The proxy is written in JavaScript, where integers are exact up to 2^53; the generator of requests adds
        // greater ones.
        TestDatabase.changePets("truncate pet cascade");
        TestDatabase.addOrders(2, "placed");
        int port = Settings.freePort();
        String proxy = "prism-" + name;
        Process prism = start(
                proxy,
                Map.of(),
                "prism",
                "proxy",
                "--errors",
                "--host=127.0.0.1",
                "--port=" + port,
                DOCUMENT,
                replica.uri("/v1").toString());
        try {
            Awaitility.await().until(() -> said(proxy).contains("Prism is listening"));
            Map<String, String> environment = Map.of(
                    "SERVICE", "http://127.0.0.1:" + port,
                    "API_KEY", TestKey.unlimited().text(),
                    "API_KEY_FOR_ONE_REQUEST", TestKey.of(1, 1000).text(),
                    "UNKNOWN_API_KEY",
                            TestKey.unlimited().update("revoked_at = now()").text());
            run(name, environment, client);
            assertTrue(said(proxy).contains("Forwarding"), said(proxy));
            assertFalse(said(proxy).contains("VIOLATIONS"), said(proxy));
        } finally {
            prism.destroyForcibly().onExit().join();
        }
    }

    /** Runs a program that must exit with 0, and returns its output. */
    private static String run(String name, Map<String, String> environment, String... program)
            throws IOException, InterruptedException {
        Process process = start(name, environment, program);
        try {
            boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
            assertEquals(0, ended ? process.exitValue() : -1, said(name));
            return said(name);
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }

    /** Starts a program. The tools of {@code src/test/contract}, including their Node, are found before all others. */
    private static Process start(String name, Map<String, String> environment, String... program) throws IOException {
        // Java searches its own PATH for a program, "env" the given one.
        List<String> command =
                Stream.concat(Stream.of("env"), Stream.of(program)).toList();
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(OUTPUT.resolve(name + ".log").toFile());
        String tools = System.getProperty("contract.tools") + File.pathSeparator;
        builder.environment().merge("PATH", tools, (path, first) -> first + path);
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** The output of a program so far, which may end within a character. */
    private static String said(String name) throws IOException {
        return new String(Files.readAllBytes(OUTPUT.resolve(name + ".log")), StandardCharsets.UTF_8);
    }

    /** A program of the JDK that runs the tests. */
    private static String ofJdk(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }
}
