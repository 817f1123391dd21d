package dev.animalstore.packaged;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.not;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The resources and the reflection that are declared for a native executable, read from the output of {@code -Dnative
 * -Dquarkus.native.sources-only=true}. {@code .ci/run} creates it and runs this; no compiler of native executables is needed.
 */
class NativeSourcesCheck {
    private static final Path SOURCES = Path.of("target", "native-sources");

    @ParameterizedTest
    @MethodSource("resources")
    void resource_thatTheServiceReads_isIncluded(String resource) throws IOException {
        JsonNode includes = configuration("resource-config.json").at("/resources/includes");

        assertThat(
                includes.findValuesAsText("pattern").stream()
                        .filter(resource::matches)
                        .toList(),
                not(empty()));
    }

    static Stream<String> resources() throws IOException {
        try (Stream<Path> migrations = Files.list(Path.of("src", "main", "resources", "db", "migration"))) {
            return Stream.concat(
                    Stream.of(
                            "dev/animalstore/quota/quota.lua",
                            "dev/animalstore/quota/announce.lua",
                            "dev/animalstore/operator/console/style.css",
                            "dev/animalstore/operator/console/copy.js",
                            "templates/console/layout.html",
                            "META-INF/services/io.netty.bootstrap.ChannelInitializerExtension",
                            "dev/animalstore/openapi/explorer-enabled.js"),
                    migrations.map(migration -> "db/migration/" + migration.getFileName()).toList().stream());
        }
    }

    @Test
    void reflection_isDeclaredForWhatIsFoundByName() throws IOException {
        List<String> declared = configuration("reflect-config.json").findValuesAsText("name");

        assertThat(
                declared,
                hasItems(
                        "dev.animalstore.error.ApiError",
                        "dev.animalstore.error.ErrorCode",
                        "dev.animalstore.pet.Pet",
                        "dev.animalstore.pet.NewPet",
                        "dev.animalstore.order.Order",
                        "dev.animalstore.operator.KeyRequests$NewKey",
                        "dev.animalstore.operator.KeyRequests$Change",
                        "dev.animalstore.key.Plan$Limits",
                        "dev.animalstore.operator.KeyRequests$Rotation",
                        "dev.animalstore.pet.PetResource",
                        "dev.animalstore.operator.ManagedKey",
                        "dev.animalstore.operator.ManagedKey$Ban",
                        "dev.animalstore.operator.ManagedKey$Secret",
                        "com.github.benmanes.caffeine.cache.SSMW",
                        "dev.animalstore.usage.UsageReports$DayUsage",
                        "dev.animalstore.http.ConnectionDraining",
                        "dev.animalstore.http.ConnectionLimits",
                        "dev.animalstore.redis.WriteConsolidation"));
    }

    @Test
    void classPath_containsNothingOfTheEmbeddedServers() throws IOException {
        PackageIT.assertNothingOfTheEmbeddedServers(SOURCES);
    }

    /** They are most of Swagger UI. */
    @Test
    void swaggerUi_hasNoMapsToItsSources() throws IOException {
        try (ZipFile jar = runner()) {
            assertThat(
                    jar.stream()
                            .map(ZipEntry::getName)
                            .filter(name -> name.contains("/openapi-ui/"))
                            .toList(),
                    allOf(hasItem(endsWith("/swagger-ui-bundle.js")), not(hasItem(endsWith(".map")))));
        }
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
