package dev.animalstore.process;

import dev.animalstore.fixture.TestServers;
import dev.animalstore.local.LocalPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.postgresql.util.PSQLException;

/** A PostgreSQL of a test's own, which can be killed, hung and restarted on the same port, and followed by a standby. */
public final class PostgresProcess implements AutoCloseable {
    private final Path data;
    private final int port;
    private final List<String> command;

    /** Starts a server whose commits survive a kill, with a folder in {@code target/test-servers}. */
    public PostgresProcess(String name) throws IOException {
        data = empty(name);
        port = URI.create(LocalPostgres.start(data.getParent()).replace("jdbc:", ""))
                .getPort();
        ProcessHandle.Info running = process().info();
        // PostgreSQL refuses to run as root, which it is not in a user namespace of its own.
        command = new ArrayList<>(LinuxUtils.isUnshareAvailable() ? List.of("unshare", "-U") : List.of());
        command.add(running.command().orElseThrow());
        command.addAll(List.of(running.arguments().orElseThrow()));
    }

    private PostgresProcess(Path data, int port, List<String> command) {
        this.data = data;
        this.port = port;
        this.command = command;
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    public String url() {
        return "jdbc:postgresql://" + address() + "/postgres";
    }

    public Connection connect() throws SQLException {
        return TestServers.connect(url(), LocalPostgres.USER);
    }

    public void execute(String... statements) throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Ends the server as a crash does: it writes nothing more, and recovers when it is started again. */
    public void kill() throws IOException {
        ProcessHandle process = process();
        Signals.send("QUIT", process);
        Signals.awaitEnd(process, port);
    }

    /** Starts the killed server again, and waits until it accepts connections. */
    public void start() throws IOException {
        var log = ProcessBuilder.Redirect.appendTo(
                data.resolveSibling("postgres.log").toFile());
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        Awaitility.await()
                .ignoreExceptionsInstanceOf(PSQLException.class)
                .untilAsserted(() -> connect().close());
    }

    /** Keeps a copy of its data, for which it ends and starts again. */
    public void backUp() throws IOException {
        kill();
        run("rm", "-rf", backup());
        run("cp", "-a", data, backup());
        start();
    }

    /** Ends it, and starts it with the data of the copy, as if a volume were set back. */
    public void restore() throws IOException {
        kill();
        run("rm", "-rf", data);
        run("cp", "-a", backup(), data);
        start();
    }

    private Path backup() {
        return data.resolveSibling("backup");
    }

    /** Suspends all of its processes: connections stay open, the system accepts new ones, and nothing gets a response. */
    public void hang() throws IOException {
        // The first one before the others, since it starts them.
        Signals.send("STOP", process());
        Signals.send("STOP", processes());
    }

    public void goOn() throws IOException {
        Signals.send("CONT", processes());
    }

    /** Lets a standby receive nothing more, and this server acknowledge commits without it. */
    public void leaveBehind(PostgresProcess standby) throws SQLException {
        execute("alter system reset synchronous_standby_names", "select pg_reload_conf()");
        standby.execute("alter system set primary_conninfo = ''", "select pg_reload_conf()");
        Awaitility.await().ignoreExceptions().until(() -> {
            try (Connection connection = connect();
                    var statement = connection.createStatement()) {
                return !statement
                        .executeQuery("select from pg_stat_replication")
                        .next();
            }
        });
    }

    /** Starts a standby on a copy of this server, which from then on acknowledges only commits that the standby has. */
    public PostgresProcess follow(String name) throws IOException, SQLException {
        int standbyPort = Settings.freePort();
        Path copy = empty(name);
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute("select pg_backup_start('standby', true)");
            run("cp", "-a", data, copy);
            var label = statement.executeQuery("select labelfile from pg_backup_stop(false)");
            label.next();
            Files.writeString(copy.resolve("backup_label"), label.getString(1));
        }
        Files.delete(copy.resolve("postmaster.pid"));
        Files.createFile(copy.resolve("standby.signal"));
        List<String> options = new ArrayList<>(command);
        options.replaceAll(option -> option.equals(data.toString())
                ? copy.toString()
                : option.equals(Integer.toString(port)) ? Integer.toString(standbyPort) : option);
        Files.writeString(
                copy.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=127.0.0.1 port=" + port + " user=" + LocalPostgres.USER
                        + "'\nwal_retrieve_retry_interval = 100ms\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        PostgresProcess standby = new PostgresProcess(copy, standbyPort, options);
        standby.start();
        execute("alter system set synchronous_standby_names = '*'", "select pg_reload_conf()");
        return standby;
    }

    @Override
    public void close() throws IOException {
        if (Files.exists(pidFile())) {
            kill();
        }
    }

    /** The folder of a server's data, without data of an earlier run. */
    private static Path empty(String name) throws IOException {
        Path folder = Path.of("target", "test-servers", name).toAbsolutePath();
        Path data = Files.createDirectories(folder).resolve("data");
        run("rm", "-rf", data);
        return data;
    }

    private static void run(Object... command) throws IOException {
        List<String> words = Stream.of(command).map(Object::toString).toList();
        int status =
                new ProcessBuilder(words).inheritIO().start().onExit().join().exitValue();
        if (status != 0) {
            throw new IOException(words + " failed");
        }
    }

    private Path pidFile() {
        return data.resolve("postmaster.pid");
    }

    private ProcessHandle process() throws IOException {
        return ProcessHandle.of(Long.parseLong(
                        Files.readAllLines(pidFile(), StandardCharsets.US_ASCII).get(0)))
                .orElseThrow();
    }

    private ProcessHandle[] processes() throws IOException {
        ProcessHandle postmaster = process();
        return Stream.concat(Stream.of(postmaster), postmaster.descendants()).toArray(ProcessHandle[]::new);
    }
}
