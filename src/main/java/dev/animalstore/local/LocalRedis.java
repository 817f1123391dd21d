package dev.animalstore.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import redis.embedded.core.ExecutableProvider;

/**
 * Redis for development and tests: the {@code redis-server} on the PATH, which must be 6.2 or newer, otherwise one from a jar, which needs
 * the system's OpenSSL 3. It is reachable from this machine only, and forgets everything when it ends.
 */
public final class LocalRedis {
    /** Redis runs as a daemon, so a Ctrl-C in the terminal reaches the application only. */
    private static final String CONFIGURATION = """
            port %d
            bind 127.0.0.1
            daemonize yes
            pidfile redis.pid
            logfile redis.log
            save ""
            """;

    private LocalRedis() {}

    /**
     * Starts a server in the folder, or reuses the one that runs there, and stops it when the JVM ends.
     *
     * @return the address for {@code quarkus.redis.hosts}
     * @throws IOException if no server listens within a minute; {@code redis.log} or the standard error has the reason
     */
    public static String start(Path folder) throws IOException {
        var home = LocalServer.privateFolder(folder);
        if (find(home).isEmpty()) {
            Files.writeString(home.resolve("redis.conf"), CONFIGURATION.formatted(LocalServer.freePort()));
            launch(home);
        }
        // Redis detaches before it listens.
        if (!LocalServer.await(() -> find(home).filter(LocalRedis::listens).isPresent())) {
            throw new IOException("Redis does not listen, see " + home.resolve("redis.log"));
        }
        return "redis://127.0.0.1:" + find(home).orElseThrow().stopWithJvm();
    }

    /** Finds the server, if it has already written its files. */
    private static Optional<LocalServer> find(Path home) {
        try {
            var pid = Files.readString(home.resolve("redis.pid")).strip();
            var port = Files.readAllLines(home.resolve("redis.conf")).get(0).substring("port ".length());
            // Debian's redis-server is a link to redis-check-rdb, so the full name would not match.
            return LocalServer.find(pid, "redis", port);
        } catch (IOException | NumberFormatException notStarted) {
            return Optional.empty();
        }
    }

    private static boolean listens(LocalServer server) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** Starts the daemon, which prints why if it cannot, such as a missing library. */
    private static void launch(Path home) throws IOException {
        var command = new ProcessBuilder("redis-server", "redis.conf")
                .directory(home.toFile())
                .inheritIO();
        try {
            command.start();
        } catch (IOException notOnThePath) {
            var unpacked =
                    ExecutableProvider.newJarResourceProvider(home.toFile()).get();
            command.command(unpacked.getPath(), "redis.conf").start();
        }
    }
}
