package dev.animalstore;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks which packages of the tests use test classes of which others. Their use of the main code is not restricted. */
class TestArchitectureTest {
    private static final String ROOT = "dev.animalstore";

    /** The packages of tests that each package of tests may use. */
    private static final Map<String, Set<String>> IMPORTS = Map.ofEntries(
            Map.entry(ROOT + ".fixture", Set.of()),
            Map.entry(ROOT + ".process", packages("fixture")),
            Map.entry(ROOT + ".load", packages("process", "fixture")),
            Map.entry(ROOT + ".packaged", packages("load", "process", "fixture")),
            Map.entry(ROOT + ".replicas", packages("load", "process", "fixture")),
            Map.entry(ROOT + ".fault", packages("load", "process", "fixture")),
            Map.entry(ROOT + ".hostile", packages("load", "process", "fixture")),
            Map.entry(ROOT + ".deployment", packages("process", "fixture")),
            Map.entry(ROOT + ".contract", packages("process", "fixture")),
            Map.entry(ROOT, packages("fixture")),
            // Tests that need package-private access to the tested class, or test it in isolation.
            Map.entry(ROOT + ".admin", packages("fixture")),
            Map.entry(ROOT + ".console", packages("fixture")),
            Map.entry(ROOT + ".database", packages("fixture")),
            Map.entry(ROOT + ".error", packages("fixture")),
            Map.entry(ROOT + ".gate", packages("fixture")),
            Map.entry(ROOT + ".key", packages("fixture")),
            Map.entry(ROOT + ".local", packages("fixture")),
            Map.entry(ROOT + ".order", packages("page", "fixture")),
            Map.entry(ROOT + ".outage", Set.of()),
            Map.entry(ROOT + ".page", packages("fixture")),
            Map.entry(ROOT + ".pet", packages("page", "fixture")),
            Map.entry(ROOT + ".quota", packages("fixture")),
            Map.entry(ROOT + ".redis", Set.of()),
            Map.entry(ROOT + ".request", packages("fixture")),
            Map.entry(ROOT + ".usage", packages("quota", "fixture")));

    private static final JavaClasses TESTS = new ClassFileImporter()
            .withImportOption(new ImportOption.OnlyIncludeTests())
            .importPackages(ROOT);

    @Test
    void package_ofTests_isInTheTable() {
        Set<String> existing =
                TESTS.stream().map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new));

        assertThat(existing, equalTo(new TreeSet<>(IMPORTS.keySet())));
    }

    @ParameterizedTest
    @MethodSource("tabledPackages")
    void package_uses_onlyTheTestsThatTheTableAllows(String name) {
        String[] allowed =
                Stream.concat(Stream.of(name), IMPORTS.get(name).stream()).toArray(String[]::new);

        classes()
                .that(resideInAPackage(name))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(allowed)
                        .or(not(describe("are tests", (JavaClass one) -> TESTS.contain(one.getName())))))
                .check(TESTS);
    }

    @ParameterizedTest
    @MethodSource("tabledPackages")
    void package_ofTests_isDescribed(String name) {
        Path description = Path.of(name.replace('.', '/'), "package-info.java");

        assertTrue(Stream.of("main", "test")
                .map(sources -> Path.of("src", sources, "java").resolve(description))
                .anyMatch(Files::exists));
    }

    static Stream<String> tabledPackages() {
        return IMPORTS.keySet().stream().sorted();
    }

    @Test
    void packages_formNoCycle() {
        slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(TESTS);
    }

    private static Set<String> packages(String... names) {
        return Arrays.stream(names).map(name -> ROOT + "." + name).collect(Collectors.toSet());
    }
}
