package dev.animalstore.local;

import dev.animalstore.metering.quota.QuotaScript;
import dev.animalstore.metering.quota.SubjectId;
import dev.animalstore.redis.RedisClient;
import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.runtime.StartupEvent;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Fills the database that was started for development, and continues its usage up to today, as {@code demo.sql} says. */
@IfBuildProfile("dev")
@Singleton
public final class DemoData {
    /** Set if the service started the database itself; other databases are not filled. */
    static final String WANTED = "dev.animalstore.demo-data";

    /** Sources rather than resources, which Vert.x would cache. */
    static final String FOLDER = "src/main/resources/dev/animalstore/local/";

    void fill(
            @Observes StartupEvent start,
            DataSource database,
            RedisClient redis,
            @ConfigProperty(name = WANTED, defaultValue = "false") boolean wanted)
            throws SQLException, IOException {
        if (!wanted) {
            return;
        }
        try (var connection = database.getConnection()) {
            connection.setAutoCommit(false);
            fill(connection, redis.prefix()).forEach(hash -> {
                var command = Request.cmd(Command.HSET);
                hash.forEach(command::arg);
                redis.send(command);
            });
            connection.commit();
        }
    }

    /** Fills a database, in the current transaction, and returns hashes for Redis: each its name, and its fields with their values. */
    public static List<List<String>> fill(Connection database, String prefix) throws SQLException, IOException {
        try (var statement = database.createStatement()) {
            var rows = statement.execute(Files.readString(Path.of(FOLDER, "demo.sql")));
            while (!rows) {
                rows = statement.getMoreResults();
            }
            statement.getResultSet().next();
            return statement
                    .getResultSet()
                    .getString(1)
                    .lines()
                    .map(line -> hash(prefix, line))
                    .toList();
        }
    }

    private static List<String> hash(String prefix, String line) {
        var words = line.split(" ");
        var subject = new SubjectId(Long.parseLong(words[0]), Long.parseLong(words[1]));
        return Stream.concat(
                        Stream.of(QuotaScript.hash(prefix, subject)),
                        Stream.of(words).skip(2))
                .toList();
    }
}
