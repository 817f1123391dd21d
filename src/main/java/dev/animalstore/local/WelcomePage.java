package dev.animalstore.local;

import io.quarkus.arc.profile.IfBuildProfile;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The page at {@code /} in dev mode, with links for developers. In production there is no such page. */
@IfBuildProfile("dev")
@Singleton
final class WelcomePage {
    private static final String PAGE = """
            <!DOCTYPE html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>Animal Store</title>
            <style>
                body { font: 1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
                dt { font-weight: 600; margin-top: 1rem; } dd { margin: 0; }
            </style>
            <h1>Animal Store</h1>
            <p>This is the service in dev mode.</p>
            <dl>
            <dt><a href="/q/swagger-ui">Swagger UI</a></dt><dd>to try the API in a browser</dd>
            <dt><a href="/console">Console</a></dt><dd>for operators; the token is <code>%s</code></dd>
            <dt>API</dt><dd><code>/v1</code>, described by <a href="/q/openapi">its OpenAPI document</a>; a demo key of the free plan:
            <code>%s</code></dd>
            </dl>
            </html>
            """;

    private final String page;

    WelcomePage(@ConfigProperty(name = "animalstore.admin.token") String adminToken) {
        page = PAGE.formatted(adminToken, DemoKey.FREE.key().reveal());
    }

    void serve(@Observes Router router) {
        router.get("/")
                .handler(exchange -> exchange.response()
                        .putHeader(HttpHeaders.CONTENT_TYPE, "text/html;charset=UTF-8")
                        .end(page));
    }
}
