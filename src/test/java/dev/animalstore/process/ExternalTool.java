package dev.animalstore.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program of {@code src/test/contract} or the JDK, as a process; its output is kept in {@code target/contract}. */
public final class ExternalTool implements AutoCloseable {
    /** The folder of the tools' output. */
    public static final Path OUTPUT = Path.of("target", "contract");

    private static final int MINUTES = 3;

    private final Process process;
    private final Path log;

    private ExternalTool(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts a program. The tools of {@code src/test/contract}, including their Node, are found before all others.
     *
     * @param name names the file of its output
     */
    public static ExternalTool start(String name, Map<String, String> environment, String... program)
            throws IOException {
        Path log = Files.createDirectories(OUTPUT).resolve(name + ".log");
        // Java searches its own PATH for a program, "env" the given one.
        List<String> command =
                Stream.concat(Stream.of("env"), Stream.of(program)).toList();
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment()
                .merge(
                        "PATH",
                        System.getProperty("contract.tools"),
                        (path, tools) -> tools + File.pathSeparator + path);
        builder.environment().putAll(environment);
        return new ExternalTool(builder.start(), log);
    }

    /** Runs a program that must exit with 0, and returns its output. */
    public static String run(String name, Map<String, String> environment, String... program)
            throws IOException, InterruptedException {
        try (ExternalTool tool = start(name, environment, program)) {
            boolean ended = tool.process.waitFor(MINUTES, TimeUnit.MINUTES);
            String said = tool.said();
            assertEquals(0, ended ? tool.process.exitValue() : -1, said);
            return said;
        }
    }

    /** A program of the JDK that runs the tests. */
    public static String ofJdk(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    /** Its output so far, which may end within a character. */
    public String said() throws IOException {
        return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
    }

    /** Stops the program if it still runs, and waits for its end. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
