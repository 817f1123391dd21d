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

    /** As above, with options that both a JVM and a native executable accept, such as {@code -Xmx307m}. */
    public ProcessBuilder process(Map<String, String> properties, List<String> options) {
        ProcessBuilder process = new ProcessBuilder(command(options));
        properties.forEach((name, value) -> process.environment().put(variable(name), value));
        return process;
    }

    /** The command that runs the artifact with options, such as system properties. */
    public List<String> command(List<String> options) {
        List<String> command = new ArrayList<>(options);
        switch (type) {
            case "native" -> command.add(0, path.toAbsolutePath().toString());
            case "jar" -> {
                command.add(
                        0,
                        Path.of(System.getProperty("java.home"), "bin", "java").toString());
                command.addAll(List.of("-jar", path.toAbsolutePath().toString()));
            }
            default -> throw new IllegalStateException("Nothing that runs was packaged: " + type);
        }
        return command;
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
