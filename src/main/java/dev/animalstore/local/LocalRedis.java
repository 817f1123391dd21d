package dev.animalstore.local;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import redis.embedded.core.ExecutableProvider;

/**
 * Redis for development and tests: the {@code redis-server} on the PATH if it is 6.2 or newer, otherwise one from a jar, which needs the
 * system's OpenSSL 3.
 *
 * <p>It is reachable from this machine only. All its files are in one folder.
 */
public final class LocalRedis {
    private static final Pattern RECENT = Pattern.compile("v=(6\\.[2-9]|[7-9]\\.|\\d\\d)");
    private static final int START_TRIES = 500;
    private static final int TRY_MILLIS = 20;

    /** Redis runs as a daemon, so a Ctrl-C in the terminal reaches the application only. */
    private static final String CONFIGURATION = """
            port %d
            bind 127.0.0.1
            daemonize yes
            pidfile redis.pid
            logfile redis.log
            appendonly %s
            save ""
            """;

    private LocalRedis() {}

    /**
     * Starts a server in the folder, or reuses the one that runs there, and stops it when the JVM ends.
     *
     * @param durable whether a later start finds the data again
     * @return the address for {@code quarkus.redis.hosts}
     * @throws IOException if no server responds within ten seconds; the message or {@code redis.log} has the reason
     */
    public static String start(Path folder, boolean durable) throws IOException {
        var home = LocalServer.privateFolder(folder);
        if (find(home).isEmpty()) {
            var settings = CONFIGURATION.formatted(LocalServer.freePort(), durable ? "yes" : "no");
            Files.writeString(home.resolve("redis.conf"), settings);
            run(home, binary(home), "redis.conf");
        }
        var server = awaitResponse(home);
        server.stopWithJvm(home);
        return "redis://127.0.0.1:" + server.port();
    }

    private static Optional<LocalServer> find(Path home) throws IOException {
        var pidFile = home.resolve("redis.pid");
        if (Files.notExists(pidFile)) {
            return Optional.empty();
        }
        var pid = Files.readString(pidFile).strip();
        var port = Files.readAllLines(home.resolve("redis.conf")).get(0).substring("port ".length());
        // Debian's redis-server is a link to redis-check-rdb, so the full name would not match.
        return pid.isEmpty()
                ? Optional.empty()
                : LocalServer.find(Long.parseLong(pid), "redis", Integer.parseInt(port));
    }

    /** Waits for Redis, which detaches, then listens, then loads its data, and only then responds. */
    private static LocalServer awaitResponse(Path home) throws IOException {
        for (int i = 0; i < START_TRIES; i++) {
            var server = find(home).filter(LocalRedis::responds);
            if (server.isPresent()) {
                return server.get();
            }
            pause();
        }
        throw new IOException("Redis does not respond, see " + home.resolve("redis.log"));
    }

    private static boolean responds(LocalServer server) {
        try (var socket = server.connect()) {
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read() == '+';
        } catch (IOException e) {
            return false;
        }
    }

    private static String binary(Path home) throws IOException {
        for (var folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            var candidate = Path.of(folder, "redis-server").toAbsolutePath();
            if (Files.isExecutable(candidate)
                    && RECENT.matcher(run(home, candidate.toString(), "--version"))
                            .find()) {
                return candidate.toString();
            }
        }
        return ExecutableProvider.newJarResourceProvider(home.toFile()).get().getPath();
    }

    /** Runs a short program and returns its output; the exception contains the error, such as a missing library. */
    private static String run(Path folder, String... command) throws IOException {
        var process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException("Redis does not start: " + output);
        }
        return output;
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(TRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
