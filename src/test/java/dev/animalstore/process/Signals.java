package dev.animalstore.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** The signals that suspend, continue and crash a process, which Java cannot send itself, and the wait for its end. */
final class Signals {
    private Signals() {}

    static void send(String signal, ProcessHandle... processes) throws IOException {
        Stream<String> ids = Stream.of(processes).map(process -> Long.toString(process.pid()));
        List<String> kill = Stream.concat(Stream.of("kill", "-" + signal), ids).toList();
        new ProcessBuilder(kill).start().onExit().join();
    }

    /** Waits until a process that was told to end has ended and its port is free, which it is later than its command is gone. */
    static void awaitEnd(ProcessHandle process, int port) {
        Awaitility.await().ignoreExceptions().until(() -> {
            new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
            return process.info().command().isEmpty();
        });
    }
}
