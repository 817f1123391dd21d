package dev.animalstore;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks which packages of the tests use test classes of which others. Their use of the main code is not restricted. */
class TestArchitectureTest {
    private static final String ROOT = "dev.animalstore";

    /** The packages of tests that a package of tests may use; those that are not here may use {@code fixture} only. */
    private static final Map<String, String> IMPORTS = Map.ofEntries(
            Map.entry("fixture", ""),
            Map.entry("load", "process fixture"),
            Map.entry("packaged", "load process fixture"),
            Map.entry("replicas", "load process fixture"),
            Map.entry("fault", "load process fixture"),
            Map.entry("hostile", "load process fixture"),
            Map.entry("deployment", "process fixture"),
            Map.entry("contract", "process fixture"),
            Map.entry("", "admin error page pet fixture"),
            Map.entry("usage", "quota fixture"));

    private static final JavaClasses TESTS = new ClassFileImporter()
            .withImportOption(new ImportOption.OnlyIncludeTests())
            .importPackages(ROOT);

    @ParameterizedTest
    @MethodSource("packages")
    void package_uses_onlyTheTestsThatTheTableAllows(String name) {
        String imports = IMPORTS.getOrDefault(name.substring(Math.min(name.length(), ROOT.length() + 1)), "fixture");
        String[] allowed = Stream.concat(
                        Stream.of(name), Stream.of(imports.split(" ")).map(one -> ROOT + "." + one))
                .toArray(String[]::new);

        classes()
                .that(resideInAPackage(name))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(allowed)
                        .or(not(describe("are tests", (JavaClass one) -> TESTS.contain(one.getName())))))
                .check(TESTS);
    }

    @ParameterizedTest
    @MethodSource("packages")
    void package_ofTests_isDescribed(String name) {
        Path description = Path.of(name.replace('.', '/'), "package-info.java");

        assertTrue(Stream.of("main", "test")
                .map(sources -> Path.of("src", sources, "java").resolve(description))
                .anyMatch(Files::exists));
    }

    static Stream<String> packages() {
        return TESTS.stream().map(JavaClass::getPackageName).distinct().sorted();
    }

    @Test
    void packages_formNoCycle() {
        slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(TESTS);
    }
}
