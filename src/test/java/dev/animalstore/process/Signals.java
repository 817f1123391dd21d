package dev.animalstore.process;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** The signals that suspend, continue and crash a process, which Java cannot send itself. */
final class Signals {
    private Signals() {}

    static void send(String signal, ProcessHandle... processes) throws IOException {
        Stream<String> ids = Stream.of(processes).map(process -> Long.toString(process.pid()));
        List<String> kill = Stream.concat(Stream.of("kill", "-" + signal), ids).toList();
        new ProcessBuilder(kill).start().onExit().join();
    }
}
