package dev.animalstore.openapi;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Set;

/** Completes what Quarkus sends at the address of the OpenAPI document: it serves it to every method, and to pages of its own origin only. */
@Singleton
final class OpenApiMethods {
    private static final Set<HttpMethod> SERVED = Set.of(HttpMethod.GET, HttpMethod.HEAD);

    void register(@Observes Router router) {
        // Before Quarkus's own route, whose order is positive.
        router.route("/q/openapi*").order(-1).handler(OpenApiMethods::complete);
    }

    private static void complete(RoutingContext exchange) {
        HttpServerResponse response = exchange.response();
        response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, "*");
        if (SERVED.contains(exchange.request().method())) {
            response.putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT);
            exchange.next();
        } else {
            boolean asked = exchange.request().method().equals(HttpMethod.OPTIONS);
            response.putHeader(HttpHeaders.ALLOW, "GET, HEAD, OPTIONS")
                    .setStatusCode(asked ? 204 : 405)
                    .end();
        }
    }
}
