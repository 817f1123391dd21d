package dev.animalstore.process;

import io.smallrye.config.common.utils.StringUtil;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /** A process of the artifact, configured by environment variables, as in Kubernetes. */
    public ProcessBuilder process(Map<String, String> properties) {
        return process(properties, List.of());
    }

    /** As above, with options that both a JVM and a native executable accept, such as {@code -Xmx307m} and system properties. */
    public ProcessBuilder process(Map<String, String> properties, List<String> options) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = new ArrayList<>(options);
        command.add(0, (isNative() ? path : java).toAbsolutePath().toString());
        if (!isNative()) {
            // A process of the tests lives for seconds, most of which a JVM would spend on optimizing it.
            command.add(1, "-XX:TieredStopAtLevel=1");
            if (Files.exists(archive())) {
                command.add(1, "-XX:SharedArchiveFile=" + archive());
            }
            command.addAll(List.of("-jar", path.toAbsolutePath().toString()));
        }
        ProcessBuilder process = new ProcessBuilder(command);
        properties.forEach((name, value) -> process.environment().put(variable(name), value));
        return process;
    }

    /** The file for the loaded classes of this very package, with which a JVM starts in half the time. */
    Path archive() {
        return path.toAbsolutePath()
                .resolveSibling("classes-" + path.toFile().lastModified() + "-" + Runtime.version() + ".jsa");
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
