package dev.animalstore;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.in;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.ReferencedClassObject;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.quarkus.hibernate.orm.panache.PanacheQuery;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.inject.Inject;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.time.Clock;
import java.time.temporal.Temporal;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks which packages may import which, and how packages and classes may be named. */
class ArchitectureTest {
    private static final String ROOT = "dev.animalstore";
    private static final String LOCAL = ROOT + ".local";

    /** The packages of this project that each package may import. {@code local}, which is in no package or image, may import any. */
    private static final Map<String, Set<String>> IMPORTS = Map.ofEntries(
            Map.entry(ROOT, Set.of()),
            Map.entry(ROOT + ".outage", Set.of()),
            Map.entry(ROOT + ".database", packages("outage")),
            Map.entry(ROOT + ".redis", packages("outage")),
            Map.entry(ROOT + ".error", packages("database")),
            Map.entry(ROOT + ".request", packages("error")),
            Map.entry(ROOT + ".page", packages("error", "request")),
            Map.entry(ROOT + ".pet", packages("database", "error", "page", "redis", "request")),
            Map.entry(ROOT + ".order", packages("error", "page", "request")),
            Map.entry(ROOT + ".key", packages("error")),
            Map.entry(ROOT + ".quota", packages("redis")),
            Map.entry(ROOT + ".usage", packages("quota")),
            Map.entry(ROOT + ".gate", packages("key", "quota", "request", "error")),
            Map.entry(ROOT + ".operator", packages("key", "quota", "usage", "request", "error")),
            Map.entry(ROOT + ".admin", packages("operator", "gate", "key", "usage", "page", "request", "error")),
            Map.entry(
                    ROOT + ".console",
                    packages("operator", "gate", "key", "quota", "usage", "page", "request", "error")));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void package_ofTheProject_isInTheTable() {
        Set<String> existing = CLASSES.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> !name.equals(LOCAL))
                .collect(Collectors.toSet());

        assertThat(existing, everyItem(in(IMPORTS.keySet())));
    }

    @ParameterizedTest
    @MethodSource("tabledPackages")
    void package_imports_onlyWhatTheTableAllows(String name) {
        String[] allowed =
                Stream.concat(Stream.of(name), IMPORTS.get(name).stream()).toArray(String[]::new);

        classes()
                .that(resideInAPackage(name))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(allowed).or(not(resideInAPackage(ROOT + ".."))))
                .check(CLASSES);
    }

    static Stream<String> tabledPackages() {
        return IMPORTS.keySet().stream().sorted();
    }

    @Test
    void packages_formNoCycle() {
        slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void petAndOrder_useNeitherKeysNorQuota() {
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + ".pet..", ROOT + ".order..")
                .should()
                .transitivelyDependOnClassesThat()
                .resideInAnyPackage(ROOT + ".key..", ROOT + ".quota..", ROOT + ".gate..", ROOT + ".operator..")
                .check(CLASSES);
    }

    @Test
    void quota_knowsNeitherHttpNorSql() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".quota..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "jakarta.ws.rs..",
                        "io.vertx.core.http..",
                        "io.vertx.ext.web..",
                        "java.sql..",
                        ROOT + ".database..")
                .check(CLASSES);
    }

    @Test
    void local_isUsedByNothingThatIsShipped() {
        noClasses()
                .that()
                .resideOutsideOfPackage(LOCAL)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(LOCAL)
                .check(CLASSES);
    }

    /** Their insides change without notice. */
    @Test
    void insidesOfVertxAndNetty_areNotUsed() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.vertx..impl..", "io.netty..internal..")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Channel.Unsafe.class)
                .check(CLASSES);
    }

    @Test
    void package_isNamedAfterTheDomain() {
        noClasses()
                .should()
                .resideInAnyPackage(Stream.of("util", "utils", "common", "service", "dto", "impl", "config", "helper")
                        .map(name -> ".." + name + "..")
                        .toArray(String[]::new))
                .check(CLASSES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Impl", "Manager", "Helper", "Util", "Utils", "Service", "DTO", "Dto"})
    void class_isNotNamedAfterItsRoleInAPattern(String suffix) {
        noClasses().should().haveSimpleNameEndingWith(suffix).check(CLASSES);
    }

    /** Before that, a native executable would read the configuration of its build. */
    @Test
    void program_neverReadsTheConfigurationBeforeQuarkusHasIt() {
        noClasses()
                .that()
                .areAnnotatedWith(QuarkusMain.class)
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ConfigProvider.class)
                .check(CLASSES);
    }

    @Test
    void dependency_isInjectedByConstructor() {
        noFields()
                .should()
                .beAnnotatedWith(Inject.class)
                .orShould()
                .beAnnotatedWith(ConfigProperty.class)
                .check(CLASSES);
    }

    /** Hibernate creates projections by their constructor, which a native executable contains only if it is registered. */
    @Test
    void projection_isRegisteredForReflection() {
        Set<JavaClass> projections = CLASSES.stream()
                .filter(one -> one.getMethodCallsFromSelf().stream()
                        .anyMatch(call -> call.getTargetOwner().isAssignableTo(PanacheQuery.class)
                                && call.getName().equals("project")))
                .flatMap(one -> one.getReferencedClassObjects().stream())
                .map(ReferencedClassObject::getRawType)
                .filter(JavaClass::isRecord)
                .collect(Collectors.toSet());

        assertThat(projections, hasSize(greaterThan(0)));
        classes()
                .that(DescribedPredicate.describe("are projections", projections::contains))
                .should()
                .beAnnotatedWith(RegisterForReflection.class)
                .check(CLASSES);
    }

    /**
     * A native executable keeps the value that a static field has when it is built: the same "random" numbers, time or address in every
     * process. With a buffer, which is memory outside the heap, the build fails.
     */
    @Test
    void staticField_dependsNeitherOnTheTimeNorOnTheMachine() {
        noFields()
                .that()
                .areStatic()
                .should()
                .haveRawType(assignableTo(RandomGenerator.class)
                        .or(assignableTo(Clock.class))
                        .or(assignableTo(Temporal.class))
                        .or(assignableTo(InetAddress.class))
                        .or(assignableTo(SocketAddress.class))
                        .or(assignableTo(UUID.class))
                        .or(assignableTo(ByteBuf.class)))
                .check(CLASSES);
    }

    private static Set<String> packages(String... names) {
        return Arrays.stream(names).map(name -> ROOT + "." + name).collect(Collectors.toSet());
    }
}
