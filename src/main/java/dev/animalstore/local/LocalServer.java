package dev.animalstore.local;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A server process that listens on a port of 127.0.0.1 and keeps its data in a folder. It outlives a JVM that is killed; the next JVM finds
 * it again by the process id and the port stored in the folder.
 */
public record LocalServer(ProcessHandle process, int port) {
    private static final int LOWEST_PORT = 10_000;

    /** Of Linux; others begin later. */
    private static final int LOWEST_EPHEMERAL_PORT = 32_768;

    private static final int TRIES = 3000;
    private static final long TRY_NANOS = 20_000_000;

    /** Finds the process with an id, if it runs the program. The system may have given the id to another process meanwhile. */
    static Optional<LocalServer> find(String pid, String program, String port) {
        return ProcessHandle.of(Long.parseLong(pid))
                .filter(process -> process.info().command().orElse("").contains(program))
                .map(process -> new LocalServer(process, Integer.parseInt(port)));
    }

    /**
     * Creates a folder that only this user can enter, because the PostgreSQL library leaves its binaries writable for all. A file system
     * without POSIX permissions, as on Windows, keeps those of its parent.
     */
    static Path privateFolder(Path folder) throws IOException {
        var path = folder.toAbsolutePath();
        if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return Files.createDirectories(path);
        }
        var onlyOwner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        return Files.createDirectories(path, onlyOwner);
    }

    /**
     * Finds a free port of 127.0.0.1, below those that systems give to outgoing connections, since one could take it before a server listens.
     * The JDK's own loopback address may be IPv6, on which the servers do not listen.
     */
    public static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, LOWEST_EPHEMERAL_PORT);
            try (var socket = new ServerSocket(port, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
                return socket.getLocalPort();
            } catch (BindException taken) {
                // Another one is free.
            }
        }
    }

    /** Waits for a minute at most: several builds may share the machine. */
    static boolean await(BooleanSupplier condition) {
        for (int i = 0; i < TRIES && !condition.getAsBoolean(); i++) {
            LockSupport.parkNanos(TRY_NANOS);
        }
        return condition.getAsBoolean();
    }

    /** Asks the server to end when this JVM ends, and kills it if it does not. Returns its port. */
    int stopWithJvm() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop " + process.pid()));
        return port;
    }

    /**
     * An ended process counts as alive until its parent collects it, which may never happen in a container, but has no command any more. The
     * class loader of a live reload may be closed by then, so this uses loaded classes only.
     */
    private void stop() {
        process.destroy();
        if (!await(() -> process.info().command().isEmpty())) {
            process.destroyForcibly();
        }
    }
}
