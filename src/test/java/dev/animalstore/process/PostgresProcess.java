package dev.animalstore.process;

import dev.animalstore.local.LocalPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.postgresql.util.PSQLException;

/** A PostgreSQL of a test's own, which can be killed, hung and restarted on the same port, and followed by a standby. */
public final class PostgresProcess implements AutoCloseable {
    private static final String TOO_MANY_CONNECTIONS = "53300";

    private final List<Connection> taken = new ArrayList<>();
    private final Path data;
    private final int port;
    private final List<String> command;

    /** Starts a server whose commits survive a kill. */
    public PostgresProcess(Path folder) throws IOException {
        this(
                empty(folder),
                Integer.parseInt(LocalPostgres.start(folder, true).replaceAll(".*:([0-9]+)/.*", "$1")),
                new ArrayList<>());
        ProcessHandle.Info running = process().info();
        if (LinuxUtils.isUnshareAvailable()) {
            // PostgreSQL refuses to run as root, which it is not in a user namespace of its own.
            command.addAll(List.of("unshare", "-U"));
        }
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

    public Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://" + address() + "/postgres", LocalPostgres.USER, "");
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
        signal("QUIT", Stream.of(process));
        Awaitility.await().until(() -> process.info().command().isEmpty());
    }

    /** Starts the killed server again, and waits until it accepts connections. */
    public void start() throws IOException {
        File log = data.resolveSibling("postgres.log").toFile();
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .start();
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .ignoreExceptionsInstanceOf(PSQLException.class)
                .until(() -> {
                    connect().close();
                    return true;
                });
    }

    /** Suspends all of its processes: connections stay open, the system accepts new ones, and nothing gets a response. */
    public void hang() throws IOException {
        signal("STOP", processes());
    }

    public void goOn() throws IOException {
        signal("CONT", processes());
    }

    /** Takes all connections: the free ones, and those of others, which are ended until none is left. */
    public void takeAllConnections() throws SQLException {
        try (Connection operator = connect();
                var others = operator.prepareStatement("""
                        select pg_terminate_backend(pid) from pg_stat_activity
                        where application_name = 'PostgreSQL JDBC Driver' and backend_type = 'client backend'""")) {
            operator.setClientInfo("ApplicationName", "operator");
            do {
                takeFreeConnections();
            } while (others.executeQuery().next());
        }
    }

    private void takeFreeConnections() throws SQLException {
        try {
            while (true) {
                Connection connection = connect();
                connection.setClientInfo("ApplicationName", "taken");
                taken.add(connection);
            }
        } catch (SQLException full) {
            if (!TOO_MANY_CONNECTIONS.equals(full.getSQLState())) {
                throw full;
            }
        }
    }

    /** Opens a connection that locks a table against reads and writes of all others. */
    public void lock(String table) throws SQLException {
        Connection connection = connect();
        taken.add(connection);
        connection.setClientInfo("ApplicationName", "taken");
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.execute("lock table " + table + " in access exclusive mode");
        }
    }

    public void giveConnectionsBack() throws SQLException {
        for (Connection connection : taken) {
            connection.close();
        }
        taken.clear();
    }

    /** Starts a standby on a copy of this server, which from then on acknowledges only commits that the standby has. */
    public PostgresProcess follow(Path folder, int standbyPort) throws IOException, SQLException {
        Path copy = empty(folder);
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute("select pg_backup_start('standby', true)");
            copyData(copy);
            var label = statement.executeQuery("select labelfile from pg_backup_stop(false)");
            label.next();
            Files.writeString(copy.resolve("backup_label"), label.getString(1));
        }
        Files.createFile(copy.resolve("standby.signal"));
        List<String> options = new ArrayList<>(command);
        options.replaceAll(option -> option.equals(data.toString())
                ? copy.toString()
                : option.equals(Integer.toString(port)) ? Integer.toString(standbyPort) : option);
        options.addAll(List.of(
                "-c",
                "primary_conninfo=host=127.0.0.1 port=" + port + " user=" + LocalPostgres.USER,
                "-c",
                "wal_retrieve_retry_interval=100ms"));
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

    /** The folder of a server's data, emptied of data of an earlier run. */
    private static Path empty(Path folder) throws IOException {
        Path data = folder.toAbsolutePath().resolve("data");
        if (Files.exists(data)) {
            try (Stream<Path> files = Files.walk(data)) {
                for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                    Files.delete(file);
                }
            }
        }
        return data;
    }

    private void copyData(Path copy) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (!file.equals(pidFile()) && !file.endsWith("epg-lock")) {
                    Path target = copy.resolve(data.relativize(file));
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
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

    private Stream<ProcessHandle> processes() throws IOException {
        ProcessHandle postmaster = process();
        return Stream.concat(Stream.of(postmaster), postmaster.descendants());
    }

    private static void signal(String name, Stream<ProcessHandle> processes) throws IOException {
        List<String> kill = new ArrayList<>(List.of("kill", "-" + name));
        processes.map(ProcessHandle::pid).map(Object::toString).forEach(kill::add);
        new ProcessBuilder(kill).start().onExit().join();
    }
}
