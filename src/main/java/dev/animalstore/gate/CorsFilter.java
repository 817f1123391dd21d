package dev.animalstore.gate;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.CorsHandler;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Set;

/**
 * Lets pages of the configured origins use the API from a browser (CORS in the Fetch standard). It responds to preflights, and adds the
 * CORS headers before any other handler, so errors have them too.
 *
 * <p>Quarkus's own filter and Vert.x's handler alone refuse a request of any other origin with a 403. Here such a request gets its normal
 * response without these headers, and the browser hides it from the page.
 */
@ApplicationScoped
class CorsFilter {
    /** In Quarkus's filters the highest number runs first; all run before routing. */
    static final int PRIORITY = 100;

    /** Response headers that a page may read, in addition to those that every page may. */
    private static final Set<String> EXPOSED = Set.of(
            "X-RateLimit-Limit",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset",
            "RateLimit-Policy",
            "RateLimit",
            "Retry-After",
            "WWW-Authenticate",
            "ETag",
            "Link",
            "Location",
            "Allow",
            "Deprecation",
            "Sunset",
            "Idempotency-Replayed",
            "X-Request-Id");

    /** Request headers that a page may send, in addition to those that every page may. */
    private static final Set<String> ACCEPTED =
            Set.of("Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "X-Request-Id");

    /** Whether a request is a preflight, which cannot carry a key. */
    static boolean isPreflight(RoutingContext exchange) {
        return exchange.request().method().equals(HttpMethod.OPTIONS)
                && exchange.request().headers().contains(HttpHeaders.ORIGIN)
                && exchange.request().headers().contains(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD);
    }

    void register(@Observes Filters filters, CorsConfig config) {
        config.origins().ifPresent(origins -> filters.register(filter(origins, config), PRIORITY));
    }

    private static Handler<RoutingContext> filter(List<String> origins, CorsConfig config) {
        boolean any = origins.contains("*");
        Handler<RoutingContext> cors = (any
                        ? CorsHandler.create()
                        : CorsHandler.create().addOrigins(origins))
                .allowedMethods(Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST))
                .allowedHeaders(ACCEPTED)
                .exposedHeaders(EXPOSED)
                .maxAgeSeconds((int) config.maxAge().toSeconds());
        return exchange -> {
            String origin = exchange.request().getHeader(HttpHeaders.ORIGIN);
            if (!ApiPath.matches(exchange.normalizedPath())) {
                exchange.next();
            } else if (any || origin == null || origins.contains(origin)) {
                cors.handle(exchange);
            } else {
                exchange.response().putHeader(HttpHeaders.VARY, HttpHeaders.ORIGIN);
                exchange.next();
            }
        };
    }
}
