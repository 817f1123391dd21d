package dev.animalstore.packaged;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.hasItems;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The resources and the reflection that are declared for a native executable, read from the output of {@code -Dnative
 * -Dquarkus.native.sources-only=true}. {@code .ci/run} creates it and runs this; no compiler of native executables is needed.
 */
class NativeSourcesCheck {
    private static final Path SOURCES = Path.of("target", "native-sources");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev/animalstore/quota/quota.lua",
                "dev/animalstore/quota/raise.lua",
                "dev/animalstore/quota/collected.lua",
                "dev/animalstore/console/style.css",
                "dev/animalstore/console/copy.js",
                "templates/console/layout.html",
                "META-INF/services/io.netty.bootstrap.ChannelInitializerExtension",
                "META-INF/resources/q/swagger-ui/explorer-enabled.js"
            })
    void resource_thatTheServiceReads_isIncluded(String resource) throws IOException {
        assertTrue(isIncluded(resource), resource);
    }

    @Test
    void migrations_areIncluded() throws IOException {
        try (Stream<Path> migrations = Files.list(Path.of("src", "main", "resources", "db", "migration"))) {
            for (Path migration : migrations.toList()) {
                assertTrue(isIncluded("db/migration/" + migration.getFileName()), migration.toString());
            }
        }
    }

    @Test
    void reflection_isDeclaredForWhatIsFoundByName() throws IOException {
        List<String> declared = StreamSupport.stream(
                        configuration("reflect-config.json").spliterator(), false)
                .map(entry -> entry.get("name").asText())
                .toList();

        assertThat(
                declared,
                hasItems(
                        "dev.animalstore.error.ApiError",
                        "dev.animalstore.error.ErrorCode",
                        "dev.animalstore.pet.Pet",
                        "dev.animalstore.pet.NewPet",
                        "dev.animalstore.order.Order",
                        "dev.animalstore.admin.KeyRequests$NewKey",
                        "dev.animalstore.admin.KeyRequests$Change",
                        "dev.animalstore.admin.KeyRequests$Limits",
                        "dev.animalstore.admin.KeyRequests$Rotation",
                        "dev.animalstore.page.Pages$Parameters",
                        "dev.animalstore.admin.ManagedKey",
                        "dev.animalstore.admin.ManagedKey$Ban",
                        "dev.animalstore.key.KeyDetails$SecretDetails",
                        "com.github.benmanes.caffeine.cache.PSAMS",
                        "dev.animalstore.request.ConnectionGuards",
                        "dev.animalstore.redis.WriteConsolidation"));
    }

    @Test
    void classPath_containsNothingOfTheEmbeddedServers() throws IOException {
        PackageIT.assertNothingOfTheEmbeddedServers(SOURCES);
    }

    private static boolean isIncluded(String resource) throws IOException {
        JsonNode includes = configuration("resource-config.json").at("/resources/includes");
        return StreamSupport.stream(includes.spliterator(), false)
                .anyMatch(include -> resource.matches(include.get("pattern").asText()));
    }

    private static JsonNode configuration(String name) throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            Path runner = files.filter(file -> file.toString().endsWith("-runner.jar"))
                    .findFirst()
                    .orElseThrow();
            try (ZipFile jar = new ZipFile(runner.toFile())) {
                return new ObjectMapper().readTree(jar.getInputStream(jar.getEntry("META-INF/native-image/" + name)));
            }
        }
    }
}
