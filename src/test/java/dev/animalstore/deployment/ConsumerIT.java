package dev.animalstore.deployment;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.animalstore.fixture.Independent;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.local.LocalPostgres;
import dev.animalstore.process.Artifact;
import dev.animalstore.process.Replica;
import dev.animalstore.process.Settings;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A service of somebody else with the engine as its dependency: {@code src/it/parcels}, and one without a database of its own, are built by their own
 * Maven projects from the jar as it is packaged, and started.
 */
@Tag("long")
@Independent
class ConsumerIT {
    private static final Path FOLDER = Path.of("target", "consumer").toAbsolutePath();
    private static final Path REPOSITORY = FOLDER.resolve("repository");
    private static final Path PARCELS = FOLDER.resolve("parcels");

    /** A version with one migration more. */
    private static final String LATER = "1.0.1";

    private static final String GREETING = """
            package com.acme;

            @jakarta.ws.rs.Path("/v1/greeting")
            public class GreetingResource {
                @jakarta.ws.rs.GET
                public String greet() {
                    return "Hello";
                }
            }
            """;

    private static String database;

    @BeforeAll
    static void buildAndTest() throws Exception {
        delete(FOLDER);
        install("1.0.0");
        copy(Path.of("src", "it", "parcels"), PARCELS);
        database = TestDatabase.recreate("parcels");
        assertEquals(0, maven(PARCELS, settings(), "verify").waitFor(), () -> "See " + log(PARCELS));
    }

    @Test
    void package_ofAnother_isMeteredAndHasItsDocumentAndItsOperators() throws IOException {
        try (Replica replica = start(PARCELS)) {
            TestKey key = replica.issue("{\"owner\":\"acme\",\"plan\":\"free\"}");
            assertEquals(401, replica.given().get("/v1/parcels").statusCode());
            replica.given(key)
                    .get("/v1/parcels")
                    .then()
                    .statusCode(200)
                    .header("X-RateLimit-Remaining", "59")
                    .header("ETag", notNullValue());
            replica.given()
                    .get("/q/openapi?format=json")
                    .then()
                    .statusCode(200)
                    .body("paths.'/v1/parcels'.post.responses", hasKey("429"))
                    .body("info.title", equalTo("parcels API"));
            assertEquals(200, replica.given().get("/console").statusCode());
            assertEquals(404, replica.given().get("/").statusCode());
            assertEquals(List.of(), replica.messages("defect"));
        }
    }

    @Test
    void laterEngine_onTheSameDatabase_migratesItAndServes() throws Exception {
        install(LATER);
        Path migration = Files.createTempDirectory(FOLDER, "later").resolve("V2__later.sql");
        Files.writeString(migration, "alter table api_key add column later text;");
        try (FileSystem jar = FileSystems.newFileSystem(artifact(LATER, "-metering.jar"))) {
            Files.copy(migration, jar.getPath("db/metering/V2__later.sql"));
        }
        Path project = FOLDER.resolve("later");
        copy(Path.of("src", "it", "parcels"), project);
        String names = "-Dquarkus.jackson.property-naming-strategy=SNAKE_CASE";
        Process build = maven(project, settings(), "package", "-DskipTests", "-Danimal-store.version=" + LATER, names);
        assertEquals(0, build.waitFor(), () -> "See " + log(project));
        try (Replica replica = start(project)) {
            TestKey key = replica.issue("{\"owner\":\"acme\",\"plan\":\"free\"}");
            assertEquals(200, replica.status("/v1/parcels", key));
            // Not by his own naming strategy.
            replica.given(key).get("/v1/key").then().body("limits.perMinute", equalTo(60));
        }
        assertEquals(
                List.of("1", "2"),
                TestDatabase.column(
                        TestServers.connect(database, LocalPostgres.USER),
                        "select version from metering.flyway_schema_history where version is not null order by 1"));
    }

    @Test
    void entities_inNoPersistenceUnit_failTheBuild() throws Exception {
        Path project = FOLDER.resolve("unconfigured");
        copy(Path.of("src", "it", "parcels"), project);
        Path properties = project.resolve("src/main/resources/application.properties");
        Files.writeString(properties, Files.readString(properties).replaceAll("(?m)^quarkus[.]hibernate-orm.*$", ""));
        assertNotEquals(0, maven(project, settings(), "package", "-DskipTests").waitFor());
        assertThat(
                Files.readString(log(project)),
                containsString("Set quarkus.hibernate-orm.packages in application.properties to the packages of your"
                        + " entities, such as com.acme.parcels"));
    }

    /** In dev mode, in which a resource that is saved is served at once. */
    @Test
    void service_withoutADatabaseOfItsOwn_isMeteredAndReloaded() throws IOException {
        Path project = FOLDER.resolve("greeting");
        Files.createDirectories(project.resolve("src/main/java/com/acme"));
        Files.copy(Path.of("src", "it", "parcels", "pom.xml"), project.resolve("pom.xml"));
        Path resource = project.resolve("src/main/java/com/acme/GreetingResource.java");
        Files.writeString(resource, GREETING);
        Map<String, String> settings = Map.ofEntries(
                Map.entry("quarkus.datasource.metering.jdbc.url", TestDatabase.recreate("greeting")),
                Map.entry("quarkus.datasource.metering.username", LocalPostgres.USER),
                Map.entry("quarkus.redis.hosts", TestServers.redis() + "/3"));
        int port = Settings.freePort();
        Map<String, String> all = Settings.with(settings, port);
        all.keySet().removeAll(List.of("quarkus.datasource.jdbc.url", "quarkus.datasource.username"));
        ProcessBuilder dev = builder(project, all, "quarkus:dev", "-Ddebug=false");
        try (Replica replica = Replica.start(dev, port)) {
            TestKey key = replica.issue("{\"owner\":\"acme\",\"plan\":\"free\"}");
            assertEquals("Hello", replica.given(key).get("/v1/greeting").asString());
            Files.writeString(resource, GREETING.replace("Hello", "Good morning"));
            Awaitility.await()
                    .ignoreExceptions()
                    .until(() ->
                            replica.given(key).get("/v1/greeting").asString().equals("Good morning"));
            assertEquals(401, replica.given().get("/v1/greeting").statusCode());
        }
    }

    private static Map<String, String> settings() {
        return Map.ofEntries(
                Map.entry("quarkus.datasource.jdbc.url", database),
                Map.entry("quarkus.datasource.username", LocalPostgres.USER),
                Map.entry("quarkus.redis.hosts", TestServers.redis() + "/3"));
    }

    /** Puts the packaged jar and its pom into a repository, as {@code ./mvnw install} does. */
    private static void install(String version) throws IOException {
        Files.createDirectories(artifact(version, ".pom").getParent());
        String pom = Files.readString(Path.of("pom.xml"));
        Files.writeString(
                artifact(version, ".pom"),
                pom.replaceFirst("<version>1.0.0</version>", "<version>" + version + "</version>"));
        Files.copy(
                Path.of("target", "animal-store-1.0.0-metering.jar"),
                artifact(version, "-metering.jar"),
                StandardCopyOption.REPLACE_EXISTING);
    }

    private static Path artifact(String version, String ending) {
        return REPOSITORY.resolve("dev/animalstore/animal-store/" + version + "/animal-store-" + version + ending);
    }

    private static Process maven(Path project, Map<String, String> settings, String... arguments) throws IOException {
        return builder(project, settings, arguments)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(log(project).toFile()))
                .start();
    }

    private static ProcessBuilder builder(Path project, Map<String, String> settings, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of("mvnw").toAbsolutePath().toString(),
                "-B",
                "-ntp",
                "-Dmaven.repo.local=" + REPOSITORY,
                "-Dmaven.repo.local.tail=" + System.getProperty("maven.repository")));
        command.addAll(List.of(arguments));
        ProcessBuilder maven = new ProcessBuilder(command).directory(project.toFile());
        maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
        settings.forEach((name, value) -> maven.environment().put(Artifact.variable(name), value));
        return maven;
    }

    private static Path log(Path project) {
        return FOLDER.resolve(project.getFileName() + ".log");
    }

    private static Replica start(Path project) throws IOException {
        int port = Settings.freePort();
        ProcessBuilder process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                project.resolve("target/quarkus-app/quarkus-run.jar").toString());
        Settings.with(settings(), port)
                .forEach((name, value) -> process.environment().put(Artifact.variable(name), value));
        return Replica.start(process, port);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
