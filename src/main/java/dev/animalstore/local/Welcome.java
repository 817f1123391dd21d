package dev.animalstore.local;

import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.qute.Engine;
import io.quarkus.qute.Variant;
import io.quarkus.vertx.http.HttpServerStart;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;
import java.util.Set;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** What a developer needs first: the page at {@code /} with what runs where, and with which keys; and the operators' document. */
@IfBuildProfile(anyOf = {"dev", "test"})
@Singleton
final class Welcome {
    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'";

    /** A page of another host must not read the token, even if that host's name leads here (DNS rebinding). */
    void serve(
            @Observes Router router,
            Engine templates,
            @ConfigProperty(name = DemoData.WANTED, defaultValue = "false") boolean demo) {
        router.get("/").blockingHandler(exchange -> {
            if (!THIS_MACHINE.contains(exchange.request().authority().host())) {
                exchange.redirect("/q/swagger-ui");
                return;
            }
            exchange.response()
                    .putHeader(HttpHeaders.CONTENT_TYPE, "text/html;charset=UTF-8")
                    .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                    .putHeader("Content-Security-Policy", POLICY)
                    .end(page(exchange, templates, demo));
        });
        // The OpenAPI extension can serve documents too, but each would start with the public one.
        router.get("/q/openapi/admin")
                .handler(exchange -> exchange.response()
                        .putHeader(HttpHeaders.CONTENT_TYPE, "application/yaml")
                        .sendFile("src/main/resources/META-INF/openapi-admin.yaml"));
    }

    void greet(@ObservesAsync HttpServerStart server) {
        var config = ConfigProvider.getConfig();
        var token = config.getConfigValue("animalstore.admin.token").getValue();
        var url = "http://localhost:" + server.options().getPort();
        Logger.getLogger("Animal Store").infof("is ready: %s shows what runs where; operators' token: %s", url, token);
    }

    private static String page(RoutingContext exchange, Engine templates, boolean demo) {
        var file = exchange.vertx().fileSystem().readFileBlocking(DemoData.FOLDER + "welcome.html");
        return templates
                .parse(file.toString(), Variant.forContentType(Variant.TEXT_HTML))
                .data("host", exchange.request().authority(), "demo", demo)
                .render();
    }
}
