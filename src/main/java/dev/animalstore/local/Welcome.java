package dev.animalstore.local;

import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.vertx.http.HttpServerStart;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;

/** What a developer needs at first: the addresses and keys, in the log, and Swagger UI at {@code /}, also with the operators' document. */
@IfBuildProfile("dev")
@Singleton
final class Welcome {
    private static final Logger LOG = Logger.getLogger("Animal Store");

    /** Vert.x would cache a resource, but not its source. */
    private static final String OPERATORS_DOCUMENT = "src/main/resources/META-INF/openapi-admin.yaml";

    /** Adds what a production service does not have. The OpenAPI extension can serve documents too, but each would start with the public one. */
    void serve(@Observes Router router) {
        router.get("/").handler(exchange -> exchange.redirect("/q/swagger-ui"));
        router.get("/q/openapi/admin")
                .handler(exchange -> exchange.response()
                        .putHeader(HttpHeaders.CONTENT_TYPE, "application/yaml")
                        .sendFile(OPERATORS_DOCUMENT));
    }

    void greet(@ObservesAsync HttpServerStart server, Config config) {
        String address = "http://localhost:" + server.options().getPort();
        String management =
                config.getOptionalValue("quarkus.management.port", String.class).orElse("9000");
        LOG.info("is ready.\n\n" + line("API", address + "/v1")
                + line("Swagger UI", address + "/q/swagger-ui")
                + line("console", address + "/console")
                + line("health", "http://localhost:" + management + "/q/health, metrics at /q/metrics")
                + line("PostgreSQL", config.getValue("quarkus.datasource.jdbc.url", String.class))
                + line("Redis", config.getValue("quarkus.redis.hosts", String.class))
                + line("admin token", config.getValue("animalstore.admin.token", String.class))
                + (config.getOptionalValue(DemoData.WANTED, boolean.class).orElse(false) ? demo(address) : ""));
    }

    private static String demo(String address) {
        return DemoData.PLANS.stream()
                        .map(plan -> line(plan + " key", DemoData.key(plan)))
                        .collect(Collectors.joining())
                + "\n  curl -i -H 'Authorization: Bearer " + DemoData.key("free") + "' '" + address
                + "/v1/pets?limit=3&status=available'\n";
    }

    private static String line(String name, String value) {
        return "  %-15s %s%n".formatted(name, value);
    }
}
