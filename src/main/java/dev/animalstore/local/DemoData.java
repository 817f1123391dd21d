package dev.animalstore.local;

import dev.animalstore.key.BearerKey;
import dev.animalstore.key.BearerKey.Environment;
import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Fills the database that was started for development once, as {@code demo.sql} says. */
@IfBuildProfile("dev")
@Singleton
final class DemoData {
    /** Set if the service started the database itself; other databases are not filled. */
    static final String WANTED = "dev.animalstore.demo-data";

    /** Each has a key. */
    static final List<String> PLANS = List.of("free", "pro", "business", "enterprise");

    void fill(
            @Observes StartupEvent start,
            DataSource database,
            @ConfigProperty(name = WANTED, defaultValue = "false") boolean wanted)
            throws SQLException, IOException {
        if (!wanted) {
            return;
        }
        try (var connection = database.getConnection();
                var statement = connection.createStatement();
                var anyKey = statement.executeQuery("select 1 from api_key limit 1")) {
            if (!anyKey.next()) {
                statement.execute(script());
            }
        }
    }

    /** The text of a plan's key, the same on every machine. It belongs to the test environment, so no production service accepts it. */
    static String key(String plan) {
        return BearerKey.of(Environment.TEST, "Demo" + plan + "0".repeat(28 - plan.length()))
                .reveal();
    }

    static String script() throws IOException {
        try (var file = DemoData.class.getResourceAsStream("demo.sql")) {
            var keys = PLANS.stream()
                    .map(plan -> "('" + plan + "', '" + key(plan) + "')")
                    .collect(Collectors.joining(", "));
            return new String(file.readAllBytes(), StandardCharsets.UTF_8).replace("%s", keys);
        }
    }
}
