package dev.animalstore.local;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * PostgreSQL for development and tests: a real server, unpacked from a jar, without installation or containers.
 *
 * <p>It is reachable from this machine only, by every local user as superuser {@value #USER} without a password. All its files are in one
 * folder; a later start finds the data again.
 */
public final class LocalPostgres {
    /** The superuser. */
    public static final String USER = "postgres";

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private LocalPostgres() {}

    /**
     * Starts a server in the folder, or reuses the one that runs there, and stops it when the JVM ends.
     *
     * @param durable whether committed data must survive a crash of the machine; writes are faster if not
     * @return the JDBC URL
     * @throws IOException if the server does not start within a minute; {@code postgres.log} in the folder has the reason
     */
    public static String start(Path folder, boolean durable) throws IOException {
        var home = LocalServer.privateFolder(folder);
        if (find(home).isEmpty()) {
            Files.deleteIfExists(pidFile(home));
            launch(home, durable);
        }
        var server = find(home).orElseThrow(() -> new IOException("PostgreSQL ended at once, see " + log(home)));
        server.stopWithJvm(home);
        return "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(server.port());
    }

    /** The lines of the file are, among others, the process id, the data folder, the start time and the port. */
    private static Optional<LocalServer> find(Path home) throws IOException {
        if (Files.notExists(pidFile(home))) {
            return Optional.empty();
        }
        var lines = Files.readAllLines(pidFile(home));
        return LocalServer.find(Long.parseLong(lines.get(0)), "postgres", Integer.parseInt(lines.get(3)));
    }

    private static void launch(Path home, boolean durable) throws IOException {
        // The library reads this when it creates a builder; by default it unpacks into a folder that all users share.
        System.setProperty("ot.epg.working-dir", home.resolve("binaries").toString());
        var log = Redirect.appendTo(log(home).toFile());
        EmbeddedPostgres.builder()
                .setPort(LocalServer.freePort())
                .setDataDirectory(home.resolve("data"))
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPGStartupWait(START_TIMEOUT)
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setServerConfig("unix_socket_directories", "")
                .setServerConfig("fsync", durable ? "on" : "off")
                .setServerConfig("synchronous_commit", durable ? "on" : "off")
                .setLocaleConfig("locale", "C.UTF-8")
                .setOutputRedirector(log)
                .setErrorRedirector(log)
                .start();
    }

    private static Path pidFile(Path home) {
        return home.resolve("data").resolve("postmaster.pid");
    }

    private static Path log(Path home) {
        return home.resolve("postgres.log");
    }
}
