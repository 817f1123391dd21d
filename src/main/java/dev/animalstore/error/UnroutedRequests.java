package dev.animalstore.error;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.core.MediaType;

/** Answers in the one error form where the path or the host of a request names nothing that could be routed to a filter or a resource. */
@ApplicationScoped
class UnroutedRequests {
    void register(@Observes Router router) {
        router.route().order(Integer.MIN_VALUE).failureHandler(UnroutedRequests::answer);
    }

    private static void answer(RoutingContext exchange) {
        switch (exchange.statusCode()) {
            case 400 ->
                send(exchange, new ApiError(ErrorCode.INVALID_PARAMETER, "The Host header is missing or malformed."));
            case 404 -> send(exchange, new ApiError(ErrorCode.NOT_FOUND, "There is nothing at this path."));
            default -> exchange.next();
        }
    }

    private static void send(RoutingContext exchange, ApiError error) {
        JsonObject body = new JsonObject()
                .put("code", error.code().value())
                .put("message", error.message())
                .put("status", error.status());
        exchange.response()
                .setStatusCode(error.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_JSON)
                .end(body.encode());
    }
}
