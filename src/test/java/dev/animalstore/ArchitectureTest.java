package dev.animalstore;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.in;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.ReferencedClassObject;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.quarkus.hibernate.orm.panache.PanacheQuery;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.redis.client.impl.PooledRedisConnection;
import io.vertx.redis.client.impl.RedisConnectionInternal;
import jakarta.inject.Inject;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.Temporal;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks which packages may import which, and how packages and classes may be named. */
class ArchitectureTest {
    private static final String ROOT = "dev.animalstore";

    /** The packages of this project that each package may import. {@code local}, which is in no package or image, may import any. */
    private static final String IMPORTS = """
            root             : outage
            outage           :
            redis            : outage
            web              :
            web.error        : outage web
            web.http         : web.error outage web
            web.input        : web.http web.error web
            web.page         : web.error
            web.list         : redis outage web.page web.http web.error web
            web.openapi      : web.http
            metering         :
            metering.key     : metering.quota redis outage web.error
            metering.quota   : redis
            metering.usage   : metering.quota web.error
            metering.gate    : metering.key metering.quota metering.usage outage web.http web.error web
            store            : web.http
            store.pet        : web.list web.page web.input web.http web.error
            store.order      : web.page web.input web.error
            operator         : outage metering.key metering.quota metering.usage metering.gate web.page web.input web.http web.error web
            operator.api     : operator metering.key metering.quota metering.usage metering.gate web.page web.input web.http web.error web
            operator.console : operator metering.key metering.quota metering.usage metering.gate web.page web.input web.http web.error web
            """;

    /** The packages whose tests and helpers those of a package may use; those of packages that are not here use {@code fixture} only. */
    private static final Map<String, String> IMPORTS_OF_TESTS = Map.ofEntries(
            Map.entry("fixture", ""),
            Map.entry("load", "process fixture"),
            Map.entry("packaged", "load process fixture"),
            Map.entry("replicas", "load process fixture"),
            Map.entry("fault", "load process fixture"),
            Map.entry("hostile", "load process fixture"),
            Map.entry("deployment", "process fixture"),
            Map.entry("contract", "process fixture"),
            Map.entry("root", "operator.api web.openapi fixture"),
            Map.entry("metering.usage", "metering.quota fixture"),
            Map.entry("web.list", "redis fixture"));

    /** Whose values differ from process to process. */
    private static final Class<?>[] OF_ONE_PROCESS = {
        RandomGenerator.class, Clock.class, Temporal.class,
        UUID.class, InetAddress.class, SocketAddress.class,
        ByteBuf.class
    };

    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    private static final JavaClasses TESTS = new ClassFileImporter()
            .withImportOption(new ImportOption.OnlyIncludeTests())
            .importPackages(ROOT);

    @Test
    void package_ofAWing_isInTheTable() {
        Set<String> tabled =
                IMPORTS.lines().map(line -> line.replaceFirst(" .*", "")).collect(Collectors.toSet());

        assertThat(
                "ArchitectureTest.IMPORTS has a line for each package: add what yours may import.",
                packages(CLASSES)
                        .filter(name -> name.matches("(metering|operator|web|redis|outage|store).*"))
                        .toList(),
                everyItem(in(tabled)));
    }

    /** Quarkus generates their callers into the class loader of the service that uses the engine, in dev mode and in tests. */
    @Test
    void filterOrMapper_isPublic() {
        methods()
                .that()
                .areAnnotatedWith(ServerRequestFilter.class)
                .or()
                .areAnnotatedWith(ServerResponseFilter.class)
                .or()
                .areAnnotatedWith(ServerExceptionMapper.class)
                .should()
                .bePublic()
                .andShould()
                .beDeclaredInClassesThat()
                .arePublic()
                .check(CLASSES);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ':', textBlock = IMPORTS)
    void package_imports_onlyWhatTheTableAllows(String name, String imports) {
        assertUses(CLASSES, name, Objects.requireNonNullElse(imports, ""));
    }

    @ParameterizedTest
    @MethodSource("packagesOfTests")
    void package_ofTests_usesOnlyTheTestsThatTheTableAllowsAndIsDescribed(String name) {
        assertUses(TESTS, name, IMPORTS_OF_TESTS.getOrDefault(name, "fixture"));
        Path description = Path.of(full(name).replace('.', '/'), "package-info.java");
        assertTrue(Stream.of("main", "test")
                .map(sources -> Path.of("src", sources, "java").resolve(description))
                .anyMatch(Files::exists));
    }

    static Stream<String> packagesOfTests() {
        return packages(TESTS);
    }

    /** Checks that the classes of a package use only those of the given ones and their own, among all that are given. */
    private static void assertUses(JavaClasses all, String name, String others) {
        String[] allowed = Stream.concat(Stream.of(name), Stream.of(others.split(" ")))
                .map(ArchitectureTest::full)
                .toArray(String[]::new);
        classes()
                .that(resideInAPackage(full(name)))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(allowed)
                        .or(not(describe("are restricted", (JavaClass one) -> all.contain(one.getName())))))
                .check(all);
    }

    /** The packages of classes, without that of the project. */
    private static Stream<String> packages(JavaClasses all) {
        return all.stream()
                .map(one -> one.getPackageName().equals(ROOT)
                        ? "root"
                        : one.getPackageName().substring(ROOT.length() + 1))
                .distinct()
                .sorted();
    }

    private static String full(String name) {
        return name.equals("root") ? ROOT : ROOT + "." + name;
    }

    @Test
    void packages_formNoCycle() {
        ArchRule rule = slices().matching(ROOT + ".(*)..").should().beFreeOfCycles();
        rule.check(CLASSES);
        rule.check(TESTS);
    }

    @Test
    void quota_knowsNeitherHttpNorSql() {
        noClasses()
                .that(resideInAPackage(ROOT + ".metering.quota.."))
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "jakarta.ws.rs..", "io.vertx.core.http..", "io.vertx.ext.web..", "java.sql.."))
                .check(CLASSES);
    }

    /** Their insides change without notice. One class of them is used; without it, GarbageIT fails. */
    @Test
    void insidesOfVertxAndNetty_areNotUsed() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.vertx..impl..", "io.netty..internal..")
                        .and(not(belongToAnyOf(PooledRedisConnection.class, RedisConnectionInternal.class)))
                        .or(assignableTo(Channel.Unsafe.class)))
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
                .dependOnClassesThat(assignableTo(ConfigProvider.class))
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

        assertFalse(projections.isEmpty());
        classes()
                .that(describe("are projections", projections::contains))
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
                .haveRawType(describe(
                        "of one process", type -> Stream.of(OF_ONE_PROCESS).anyMatch(type::isAssignableTo)))
                .check(CLASSES);
    }
}
