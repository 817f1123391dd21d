package dev.animalstore.process;

import dev.animalstore.local.LocalRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/** A Redis of a test's own, which can be killed, hung and restarted on the same port. */
public final class RedisProcess implements AutoCloseable {
    /** A user who may do everything, with any password. */
    public static final String OBSERVER = "observer";

    private final Path folder;
    private final String program;
    private final int port;
    private boolean withUsers;

    /** Starts a server with a folder in {@code target/test-servers}. */
    public RedisProcess(String name) throws IOException {
        folder = Path.of("target", "test-servers", name);
        String address = LocalRedis.start(folder);
        port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        program = program(Path.of(process().info().command().orElseThrow()));
    }

    /** Debian's redis-server is a link to a program whose function depends on its name. */
    private static String program(Path running) {
        Path named = running.resolveSibling("redis-server");
        return (Files.isExecutable(named) ? named : running).toString();
    }

    int port() {
        return port;
    }

    public Path folder() {
        return folder;
    }

    public String address() {
        return "redis://127.0.0.1:" + port;
    }

    /** A connection that has not logged in. */
    public Jedis connect() {
        return new Jedis("127.0.0.1", port);
    }

    public void kill() throws IOException {
        ProcessHandle process = process();
        process.destroyForcibly();
        Signals.awaitEnd(process, port);
    }

    /** Suspends the process: connections stay open, and nothing gets a response. */
    public void hang() throws IOException {
        Signals.send("STOP", process());
    }

    public void goOn() throws IOException {
        Signals.send("CONT", process());
    }

    /** Starts the killed server again, and waits for it; {@code options} come after those of its configuration file. */
    public void start(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(program, "redis.conf"));
        command.addAll(List.of(options));
        new ProcessBuilder(command).directory(folder.toFile()).start().onExit().join();
        // An error is a response, too.
        Awaitility.await().ignoreExceptions().until(() -> {
            try (Jedis redis = connect()) {
                return redis.ping() != null;
            } catch (JedisDataException error) {
                return true;
            }
        });
    }

    /**
     * Starts the killed server with the users of files in {@code src/main/redis}, who get this password, and with an observer who may do
     * everything.
     */
    public void startWithUsers(List<String> files, String password, String... options) throws IOException {
        StringBuilder users = new StringBuilder("user " + OBSERVER + " on nopass ~* &* +@all\n");
        for (String file : files) {
            users.append(shipped(file, password));
        }
        Files.writeString(folder.resolve("users.acl"), users);
        start(Stream.concat(Stream.of("--aclfile", "users.acl"), Stream.of(options))
                .toArray(String[]::new));
        withUsers = true;
    }

    /** A file in {@code src/main/redis}, with another password. */
    public static String shipped(String file, String password) throws IOException {
        return Files.readString(Path.of("src", "main", "redis", file)).replace("for-this-machine-only", password);
    }

    public void configure(String lines) throws IOException {
        Files.writeString(folder.resolve("redis.conf"), lines, StandardOpenOption.APPEND);
    }

    /** Sends commands as a user who may do everything. */
    public <T> T ask(Function<Jedis, T> question) {
        try (Jedis redis = connect()) {
            if (withUsers) {
                redis.auth(OBSERVER, "");
            }
            return question.apply(redis);
        }
    }

    @Override
    public void close() throws IOException {
        kill();
    }

    private ProcessHandle process() throws IOException {
        return ProcessHandle.of(Long.parseLong(
                        Files.readString(folder.resolve("redis.pid")).strip()))
                .orElseThrow();
    }
}
