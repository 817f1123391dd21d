package dev.animalstore.packaged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.animalstore.process.Artifact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The bill of materials agrees with the package. */
class BillOfMaterialsIT {
    /** Licences that allow distribution with the service. A library with several licences needs one of them. */
    private static final Predicate<String> ALLOWED = Pattern.compile(
                    "0BSD|Apache-2\\.0|BSD-2-Clause|BSD-3-Clause|CC0-1\\.0|EPL-2\\.0|MIT|MIT-0|Public Domain|UPL-1\\.0")
            .asMatchPredicate();

    private static List<JsonNode> libraries;

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
                .map(BillOfMaterialsIT::fileName)
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
