package dev.animalstore.local;

import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.vertx.http.HttpServerStart;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Logs the addresses and the keys for developers once the service listens. */
@IfBuildProfile("dev")
@Singleton
final class Welcome {
    private static final Logger LOG = Logger.getLogger("Animal Store");

    private final boolean demo;
    private final String database;
    private final String redis;
    private final String adminToken;

    Welcome(
            @ConfigProperty(name = DemoData.WANTED, defaultValue = "false") boolean demo,
            @ConfigProperty(name = "quarkus.datasource.jdbc.url") String database,
            @ConfigProperty(name = "quarkus.redis.hosts") String redis,
            @ConfigProperty(name = "animalstore.admin.token") String adminToken) {
        this.demo = demo;
        this.database = database;
        this.redis = redis;
        this.adminToken = adminToken;
    }

    void greet(@ObservesAsync HttpServerStart server) {
        String address = "http://localhost:" + server.options().getPort();
        LOG.info("is ready.\n\n" + line("API", address + "/v1")
                + line("Swagger UI", address + "/q/swagger-ui")
                + line("console", address + "/console")
                + line("PostgreSQL", database)
                + line("Redis", redis)
                + line("admin token", adminToken)
                + (demo ? keys() + tryIt(address) : ""));
    }

    private static String line(String name, String value) {
        return "  %-15s %s%n".formatted(name, value);
    }

    private static String keys() {
        return Arrays.stream(DemoKey.values())
                .map(demo -> line(demo.plan() + " key", demo.key().reveal()))
                .collect(Collectors.joining());
    }

    private static String tryIt(String address) {
        return "\n  curl -i -H 'Authorization: Bearer " + DemoKey.FREE.key().reveal() + "' '" + address
                + "/v1/pets?limit=3&status=available'\n";
    }
}
