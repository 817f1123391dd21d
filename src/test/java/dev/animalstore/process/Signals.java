package dev.animalstore.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The signals that suspend, continue and crash a process, which Java cannot send itself, and the commands of a JVM. */
final class Signals {
    private Signals() {}

    static void send(String signal, ProcessHandle... processes) throws IOException {
        Stream<String> ids = Stream.of(processes).map(process -> Long.toString(process.pid()));
        List<String> kill = Stream.concat(Stream.of("kill", "-" + signal), ids).toList();
        new ProcessBuilder(kill).start().onExit().join();
    }

    /** Sends a command of {@code jcmd} to a JVM, and returns what it says. */
    static String jcmd(Process jvm, String command) throws IOException {
        String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process jcmd = new ProcessBuilder(program, Long.toString(jvm.pid()), command).start();
        return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
