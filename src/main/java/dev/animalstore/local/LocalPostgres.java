package dev.animalstore.local;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * PostgreSQL for development and tests: a real server, unpacked from a jar. It is reachable from this machine only, by every local user as
 * superuser {@value #USER} without a password. All its files are in one folder; a later start finds the data again, unless the machine has
 * crashed.
 */
public final class LocalPostgres {
    public static final String USER = "postgres";

    private LocalPostgres() {}

    /**
     * Starts a server in the folder, or reuses the one that runs there, and stops it when the JVM ends.
     *
     * @return the JDBC URL
     * @throws IOException if the server does not start within a minute; {@code postgres.log} in the folder has the reason
     */
    public static String start(Path folder) throws IOException {
        var home = LocalServer.privateFolder(folder);
        var pidFile = home.resolve("data").resolve("postmaster.pid");
        if (find(pidFile).isEmpty()) {
            Files.deleteIfExists(pidFile);
            launch(home);
        }
        var server = find(pidFile).orElseThrow(() -> new IOException("PostgreSQL ended at once, see " + home));
        return "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(server.stopWithJvm());
    }

    /** The lines of the file are, among others, the process id, the data folder, the start time and the port. */
    private static Optional<LocalServer> find(Path pidFile) throws IOException {
        if (Files.notExists(pidFile)) {
            return Optional.empty();
        }
        var lines = Files.readAllLines(pidFile);
        return LocalServer.find(lines.get(0), "postgres", lines.get(3));
    }

    private static void launch(Path home) throws IOException {
        // The library reads this when it creates a builder; by default it unpacks into a folder that all users share.
        System.setProperty("ot.epg.working-dir", home.resolve("binaries").toString());
        var log = Redirect.appendTo(home.resolve("postgres.log").toFile());
        EmbeddedPostgres.builder()
                .setPort(LocalServer.freePort())
                .setDataDirectory(home.resolve("data"))
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPGStartupWait(Duration.ofMinutes(1))
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setServerConfig("unix_socket_directories", "")
                .setServerConfig("fsync", "off")
                // The library switches it off, and a killed server would lose commits.
                .setServerConfig("synchronous_commit", "on")
                // PostgreSQL's own, since macOS and Windows have no C.UTF-8.
                .setLocaleConfig("locale-provider", "builtin")
                .setLocaleConfig("builtin-locale", "C.UTF-8")
                .setLocaleConfig("locale", "C")
                .setOutputRedirector(log)
                .setErrorRedirector(log)
                .start();
    }
}
