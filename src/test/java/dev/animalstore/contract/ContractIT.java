package dev.animalstore.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The document and the packaged service, tested with well-known tools: linters, a generator of requests, a proxy that refuses everything
 * undocumented, and generated clients.
 */
@EnabledIfSystemProperty(named = "contract.tools", matches = ".+", disabledReason = "needs Node's tools: see .ci/run")
class ContractIT {
    private static final Path OUTPUT = Path.of("target", "contract");
    private static final Path DOCUMENT = OUTPUT.resolve("openapi.yaml");
    private static final String DOCUMENTS = " " + DOCUMENT + " src/main/resources/META-INF/openapi-admin.yaml";
    private static final int MINUTES = 10;
    private static final Pattern ALL_SUCCEEDED = Pattern.compile("Tests run: (\\d+), Successes: \\1, Failures: 0,");

    private static Replica replica;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        replica = Replica.shared(Map.of());
        Files.createDirectories(OUTPUT);
        Files.writeString(DOCUMENT, replica.body("/q/openapi?format=yaml"));
        run("generators", Map.of(), "./mvnw -B -ntp -f src/test/contract/pom.xml generate-sources");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spectral lint --fail-severity=hint --ruleset=src/test/contract/spectral.yaml",
                "redocly lint --config=src/test/contract/redocly.yaml"
            })
    void documents_linted_haveNoFindings(String linter) throws IOException, InterruptedException {
        run(linter.replaceFirst(" .*", ""), Map.of(), linter + DOCUMENTS);
    }

    @Test
    void requests_generatedFromTheDocument_getResponsesAsDocumented() throws IOException, InterruptedException {
        Files.writeString(
                OUTPUT.resolve("openapi.json"), documentForTheGenerator().toPrettyString());

        String said = run(
                "specmatic",
                Map.of("bearerKey", TestKey.unlimited().text()),
                "java -jar src/test/contract/node_modules/specmatic/specmatic.jar test"
                        + " --config=src/test/contract/specmatic.yaml --testBaseURL=" + replica.uri("/v1"));

        Matcher tests = ALL_SUCCEEDED.matcher(said);
        assertTrue(tests.find() && Integer.parseInt(tests.group(1)) > 300, said);
    }

    @Test
    void javaClient_generatedFromTheDocument_works() throws IOException, InterruptedException {
        String libraries = OUTPUT.resolve("java") + File.pathSeparator + System.getProperty("java.class.path");
        run("javac", Map.of("CLASSPATH", libraries), """
                javac -proc:none -encoding UTF-8 -d target/contract/java -sourcepath target/contract/java-client/src/main/java \
                    src/test/contract/java/Customer.java""");

        runThroughProxy("java-client", "java -classpath '" + libraries + "' Customer");
    }

    /** The types of openapi-typescript are checked with the smallest pet of the document. */
    @Test
    void typeScriptClient_generatedFromTheDocument_works() throws IOException, InterruptedException {
        run("tsc", Map.of(), """
                openapi-typescript target/contract/openapi.yaml --output target/contract/types.ts \
                    && tsc --project src/test/contract/typescript""");

        runThroughProxy(
                "typescript-client", "node target/contract/typescript/src/test/contract/typescript/customer.js");
    }

    /** Clients read a name beyond ASCII, the least int64 and a member that the document does not have; a server in Kotlin compiles. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = ';', quoteCharacter = '"', textBlock = """
            java -version; ./mvnw -B -ntp -f src/test/contract/pom.xml test-compile -Dcodegen.skip
            ruby -r typhoeus -e 0; find target/contract/ruby-client -name '*.rb' | xargs -n 1 ruby -c \
                && ruby -I target/contract/ruby-client/lib src/test/contract/ruby/reader.rb
            php --rf mb_strlen; find target/contract/php-client -name '*.php' | xargs -n 1 php -l && php src/test/contract/php/reader.php
            go version; cd src/test/contract/go && go run .
            """)
    void clientsOfOtherLanguages_generatedFromTheDocument_read(String needed, String command)
            throws IOException, InterruptedException {
        String name = needed.replaceFirst(" .*", "-reader");
        assumeTrue(start(name, Map.of(), needed).waitFor() == 0, needed + " fails: see CONTRIBUTING.md");

        run(name, Map.of(), "(" + command + ") < src/test/contract/pets.json");
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
        // That cursors come only from Link headers, which tags are current, that an Idempotency-Key is valid for one
        // body, and which days belong together.
        Set<String> unknowable = Stream.of(
                        "PetCursor", "OrderCursor", "IfMatch", "IdempotencyKey", "UsageFrom", "UsageTo", "UsageMonth")
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
    private static void runThroughProxy(String name, String client) throws IOException, InterruptedException {
        // The proxy is written in JavaScript, where integers are exact up to 2^53; the generator of requests adds
        // greater ones.
        TestDatabase.changePets("truncate pet cascade");
        TestDatabase.addOrders(2, "placed");
        String proxy = "prism-" + name;
        int port = Settings.freePort();
        Process prism = start(
                proxy,
                Map.of(),
                "prism proxy --errors --host=127.0.0.1 --port=" + port + " " + DOCUMENT + " " + replica.uri("/v1"));
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
            end(prism);
        }
    }

    /** Runs a command that must exit with 0, and returns its output. */
    private static String run(String name, Map<String, String> environment, String command)
            throws IOException, InterruptedException {
        Process process = start(name, environment, command);
        try {
            boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
            assertEquals(0, ended ? process.exitValue() : -1, said(name));
            return said(name);
        } finally {
            end(process);
        }
    }

    /** Starts a command. The tools of {@code src/test/contract}, including their Node, and those of this JDK are found before all others. */
    private static Process start(String name, Map<String, String> environment, String command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", command)
                .redirectErrorStream(true)
                .redirectOutput(OUTPUT.resolve(name + ".log").toFile());
        String jdk = Path.of(System.getProperty("java.home"), "bin").toString();
        String tools = String.join(File.pathSeparator, System.getProperty("contract.tools"), jdk, "");
        builder.environment().merge("PATH", tools, (path, first) -> first + path);
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }

    /** The output of a program so far, which may end within a character. */
    private static String said(String name) throws IOException {
        return new String(Files.readAllBytes(OUTPUT.resolve(name + ".log")), StandardCharsets.UTF_8);
    }
}
