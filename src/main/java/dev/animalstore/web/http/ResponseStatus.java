package dev.animalstore.web.http;

import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/** The status of a response that has ended, as logs and metrics have it. */
public final class ResponseStatus {
    /** The status that nginx logs if a client closes the connection before the response. HTTP does not define it. */
    public static final int CLIENT_GONE = 499;

    private ResponseStatus() {}

    public static int of(RoutingContext exchange) {
        HttpServerResponse response = exchange.response();
        return response.headWritten() ? response.getStatusCode() : CLIENT_GONE;
    }
}
