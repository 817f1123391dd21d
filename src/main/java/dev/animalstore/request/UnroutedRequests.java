package dev.animalstore.request;

import dev.animalstore.error.ApiError;
import dev.animalstore.error.ErrorCode;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** Responds with the JSON error body if the path or the host of a request is so malformed that the request reaches no filter or resource. */
@ApplicationScoped
class UnroutedRequests {
    void register(@Observes Router router) {
        router.route().order(Integer.MIN_VALUE).failureHandler(UnroutedRequests::respond);
    }

    private static void respond(RoutingContext exchange) {
        UnreadBody.watch(exchange);
        RequestId.take(exchange);
        SecurityHeaders.forbidSniffing(exchange.response().headers());
        switch (exchange.statusCode()) {
            case 400 ->
                new ApiError(ErrorCode.INVALID_PARAMETER, "The Host header is missing or malformed.")
                        .send(exchange.response());
            case 404 -> new ApiError(ErrorCode.NOT_FOUND, "No such path.").send(exchange.response());
            default -> exchange.next();
        }
    }
}
