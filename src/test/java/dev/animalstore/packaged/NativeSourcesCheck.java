package dev.animalstore.packaged;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The resources and the reflection that are declared for a native executable, read from the output of {@code -Dnative
 * -Dquarkus.native.sources-only=true}. {@code .ci/run} creates it and runs this; no compiler of native executables is needed.
 */
class NativeSourcesCheck {
    private static final String FOUND_BY_NAME = """
            dev.animalstore.web.error.ApiError dev.animalstore.store.pet.PetResource
            dev.animalstore.store.pet.Pet dev.animalstore.store.pet.NewPet dev.animalstore.store.order.Order
            dev.animalstore.operator.KeyRequests$NewKey dev.animalstore.operator.KeyRequests$Change
            dev.animalstore.operator.KeyRequests$Rotation dev.animalstore.metering.key.Plan$Limits dev.animalstore.metering.key.KeyQueries$Row
            dev.animalstore.operator.ManagedKey dev.animalstore.metering.gate.OwnKeyResource$OwnKey dev.animalstore.metering.quota.QuotaView$Ban dev.animalstore.operator.ManagedKey$Secret
            dev.animalstore.metering.usage.UsageReports$DayUsage dev.animalstore.redis.WriteConsolidation
            com.github.benmanes.caffeine.cache.SSMW com.github.benmanes.caffeine.cache.PSAMS
            com.fasterxml.jackson.databind.ser.std.TokenBufferSerializer
            """;
    private static final Path SOURCES = Path.of("target", "native-sources");

    @ParameterizedTest
    @MethodSource("resources")
    void resource_thatTheServiceReads_isIncluded(String resource) throws IOException {
        JsonNode includes = configuration("resource-config.json").at("/resources/includes");

        assertTrue(includes.findValuesAsText("pattern").stream().anyMatch(resource::matches));
    }

    static Stream<String> resources() throws IOException {
        Path resources = Path.of("src", "main", "resources");
        try (Stream<Path> files = Files.walk(resources.resolve("db"))) {
            Stream<String> migrations =
                    files
                            .filter(Files::isRegularFile)
                            .map(file -> resources.relativize(file).toString())
                            .toList()
                            .stream();
            return Stream.concat(
                    Stream.of(
                            "dev/animalstore/metering/quota/quota.lua",
                            "dev/animalstore/metering/quota/announce.lua",
                            "dev/animalstore/operator/console/style.css",
                            "dev/animalstore/operator/console/page.js",
                            "templates/console/layout.html",
                            "META-INF/services/io.netty.bootstrap.ChannelInitializerExtension",
                            "dev/animalstore/web/openapi/explorer-enabled.js"),
                    migrations);
        }
    }

    @Test
    void reflection_isDeclaredForWhatIsFoundByName() throws IOException {
        List<String> declared = configuration("reflect-config.json").findValuesAsText("name");

        assertTrue(declared.containsAll(List.of(FOUND_BY_NAME.split("\\s+"))), declared::toString);
    }

    @Test
    void classPath_containsNothingOfTheEmbeddedServers() throws IOException {
        PackageIT.assertNothingOfTheEmbeddedServers(SOURCES);
    }

    private static JsonNode configuration(String name) throws IOException {
        try (ZipFile jar = runner()) {
            return new ObjectMapper().readTree(jar.getInputStream(jar.getEntry("META-INF/native-image/" + name)));
        }
    }

    private static ZipFile runner() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            return new ZipFile(files.filter(file -> file.toString().endsWith("-runner.jar"))
                    .findFirst()
                    .orElseThrow()
                    .toFile());
        }
    }
}
