package dev.animalstore.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * A server process that listens on a port of 127.0.0.1 and keeps its data in a folder.
 *
 * <p>It outlives a JVM that is killed; the next JVM finds it again by the process id and the port stored in the folder.
 */
record LocalServer(ProcessHandle process, int port) {
    private static final int STOP_TRIES = 250;
    private static final int TRY_MILLIS = 20;

    /**
     * Finds the process with an id, if it runs the program. The id may be from a file that outlived its process, and the system reuses ids,
     * so the program is checked.
     */
    static Optional<LocalServer> find(long pid, String program, int port) {
        return ProcessHandle.of(pid)
                .filter(process -> process.info().command().orElse("").contains(program))
                .map(process -> new LocalServer(process, port));
    }

    /** Creates a folder that only this user can enter, because the PostgreSQL library leaves its binaries writable for all. */
    static Path privateFolder(Path folder) throws IOException {
        var onlyOwner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        return Files.createDirectories(folder.toAbsolutePath(), onlyOwner);
    }

    /** Finds a free port of 127.0.0.1, which another process may take before it is used. */
    static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, loopback())) {
            return socket.getLocalPort();
        }
    }

    Socket connect() throws IOException {
        return new Socket(loopback(), port);
    }

    /**
     * Stops the server when this JVM ends, unless another running JVM will. That JVM holds a lock on a file in the folder, which the system
     * releases however it ends.
     */
    void stopWithJvm(Path folder) throws IOException {
        var channel =
                FileChannel.open(folder.resolve("owner.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            var lock = channel.tryLock();
            if (lock != null) {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(lock), "stop " + folder));
                return;
            }
        } catch (OverlappingFileLockException lockedBefore) {
            // The hook of an earlier call in this JVM stops the server.
        }
        channel.close();
    }

    /**
     * Asks the server to end, and kills it after five seconds. The class loader of a live reload may be closed by then, so this uses JDK
     * classes only.
     */
    private void stop(FileLock lock) {
        try (lock) {
            process.destroy();
            for (int i = 0; i < STOP_TRIES && isRunning(); i++) {
                Thread.sleep(TRY_MILLIS);
            }
        } catch (IOException | InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }

    /** An ended process counts as alive until its parent collects it, which may never happen in a container. */
    private boolean isRunning() {
        return process.info().command().isPresent();
    }

    /** The JDK's own loopback address may be IPv6, on which the servers do not listen. */
    private static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }
}
