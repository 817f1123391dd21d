package dev.animalstore.process;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.local.LocalPostgres;
import io.smallrye.config.common.utils.StringUtil;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The artifact that was packaged last, as Quarkus recorded it: jars or a native executable.
 *
 * @param type {@code jar} or {@code native}
 * @param path the file to run
 */
public record Artifact(String type, Path path) {
    private static final Path TARGET = Path.of("target");
    /** JDK 25 and newer, of which the JVM image has one, keep linked classes and profiles too. */
    private static final boolean AOT = Runtime.version().feature() >= 25;

    public static Artifact read() throws IOException {
        Properties noted = new Properties();
        try (InputStream file = Files.newInputStream(TARGET.resolve("quarkus-artifact.properties"))) {
            noted.load(file);
        }
        return new Artifact(noted.getProperty("type"), TARGET.resolve(noted.getProperty("path")));
    }

    public boolean isNative() {
        return type.equals("native");
    }

    /**
     * A process of the artifact, configured by environment variables, as in Kubernetes, with options that both a JVM and a native executable
     * accept, such as {@code -Xmx307m} and system properties.
     */
    public ProcessBuilder process(Map<String, String> properties, String... options) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = new ArrayList<>(List.of(options));
        command.add(0, (isNative() ? path : java).toAbsolutePath().toString());
        if (!isNative()) {
            // A process of the tests lives for seconds, most of which a JVM would spend on optimizing it.
            command.add(1, "-XX:TieredStopAtLevel=1");
            // As the image.
            command.addAll(1, List.of("-Xlog:disable", "-Xlog:all=error:stderr"));
            if (Files.exists(archive())) {
                command.add(1, (AOT ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + archive());
            }
            command.addAll(List.of("-jar", path.toAbsolutePath().toString()));
        }
        ProcessBuilder process = new ProcessBuilder(command);
        properties.forEach((name, value) -> process.environment().put(variable(name), value));
        return process;
    }

    /** The file for the loaded classes of this very package and JVM, with which a replica starts in half the time. */
    private Path archive() {
        return path.toAbsolutePath()
                .resolveSibling(
                        "classes-" + path.toFile().lastModified() + "-" + Runtime.version() + (AOT ? ".aot" : ".jsa"));
    }

    /**
     * Writes the archive if it is missing, as the JVM image does: an AOT cache, or with an older JVM an archive for class-data sharing. Replicas
     * start without it if the machine has no curl.
     */
    void train() throws IOException {
        if (isNative() || Files.exists(archive())) {
            return;
        }
        // Processes use the archive as soon as it is there, and each lane may write one.
        Path unfinished = Path.of(archive() + "." + ProcessHandle.current().pid());
        ProcessBuilder training = new ProcessBuilder(
                        Path.of("src", "main", "docker", "train")
                                .toAbsolutePath()
                                .toString(),
                        (AOT ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + unfinished)
                .directory(path.toAbsolutePath().getParent().toFile())
                .redirectErrorStream(true);
        Map<String, String> environment = training.environment();
        environment.put("PATH", Path.of(System.getProperty("java.home"), "bin") + ":" + environment.get("PATH"));
        environment.put("QUARKUS_DATASOURCE_JDBC_URL", TestDatabase.recreate("training"));
        environment.put("QUARKUS_DATASOURCE_USERNAME", LocalPostgres.USER);
        environment.put("QUARKUS_REDIS_HOSTS", TestServers.redis() + "/1");
        environment.put("QUARKUS_HTTP_PORT", Integer.toString(Settings.freePort()));
        environment.put("QUARKUS_MANAGEMENT_PORT", Integer.toString(Settings.freePort()));
        Path log = Files.createDirectories(TARGET.resolve("replicas")).resolve(unfinished.getFileName() + ".log");
        training.redirectOutput(log.toFile()).start().onExit().join();
        if (Files.exists(unfinished)) {
            Files.move(unfinished, archive(), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** The environment variable of a property, by MicroProfile Config's rule. */
    public static String variable(String property) {
        return StringUtil.replaceNonAlphanumericByUnderscores(property).toUpperCase(Locale.ROOT);
    }

    /** The folder of all jars that the artifact consists of or was built from. */
    public Path jars() throws IOException {
        if (type.equals("jar")) {
            return path.getParent();
        }
        try (Stream<Path> folders = Files.list(TARGET)) {
            return folders.filter(folder -> folder.toString().endsWith("-native-image-source-jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
