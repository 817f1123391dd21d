package dev.animalstore;

import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Logs at the start how many files the process may open and how many it needs, since beyond the limit it accepts no connection. */
@Singleton
final class OpenFiles {
    private static final Logger LOG = Logger.getLogger(OpenFiles.class);

    /** Libraries, the log, Redis, event loops, and the port of health and metrics. */
    private static final int OTHER_FILES = 200;

    void report(
            @Observes StartupEvent started,
            @ConfigProperty(name = "quarkus.http.limits.max-connections") int connections,
            @ConfigProperty(name = "quarkus.datasource.jdbc.max-size") int pool) {
        long needed = (long) connections + pool + OTHER_FILES;
        allowedFiles()
                .ifPresent(allowed -> LOG.logf(
                        allowed < needed ? Logger.Level.WARN : Logger.Level.INFO,
                        "Open files: needs up to %d, may have %d%s",
                        needed,
                        allowed,
                        allowed < needed
                                ? ". Raise the limit (ulimit -n), or lower quarkus.http.limits.max-connections"
                                : ""));
    }

    /** Empty if the system, unlike Linux, does not tell it in a file. */
    private static OptionalLong allowedFiles() {
        try (Stream<String> limits = Files.lines(Path.of("/proc/self/limits"))) {
            return limits.filter(line -> line.startsWith("Max open files"))
                    .map(line -> line.split(" {2,}", 3)[1])
                    .mapToLong(soft -> soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft))
                    .findFirst();
        } catch (IOException notLinux) {
            return OptionalLong.empty();
        }
    }
}
