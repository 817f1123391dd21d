package dev.animalstore.web.http;

import io.vertx.core.Context;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/**
 * A response that is sent before its request has ended closes the connection (RFC 9112, section 9.6). A proxy that reused it would send the
 * next request of another client where the service still expects the rest of the body.
 *
 * <p>The connection stays open until the request has ended, or {@value #LONGEST_MILLIS} ms, in which the rest is discarded: the kernel resets
 * a connection that is closed while octets are unread, and the client would lose the response.
 */
final class EarlyResponse {
    private static final long LONGEST_MILLIS = 2000;

    private EarlyResponse() {}

    /** Closes the connection of a request if its response is sent before it has ended. To be called before the request is read. */
    static void closeConnection(RoutingContext exchange) {
        HttpServerRequest request = exchange.request();
        HttpServerResponse response = exchange.response();
        Context context = exchange.vertx().getOrCreateContext();
        exchange.addHeadersEndHandler(ready -> {
            if (!request.isEnded()) {
                response.headers().set(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            }
        });
        exchange.addEndHandler(sent -> {
            if (!response.headers().contains(HttpHeaders.CONNECTION, HttpHeaders.CLOSE, true)) {
                return;
            }
            if (Context.isOnEventLoopThread()) {
                // At once, before another request that came with this one.
                discardRest(request, context);
            } else {
                context.runOnContext(later -> discardRest(request, context));
            }
        });
    }

    private static void discardRest(HttpServerRequest request, Context context) {
        HttpConnection connection = request.connection();
        if (request.isEnded()) {
            connection.close();
            return;
        }
        long late = context.owner().setTimer(LONGEST_MILLIS, passed -> connection.close());
        request.handler(part -> {})
                .exceptionHandler(closed -> context.owner().cancelTimer(late))
                .endHandler(ended -> {
                    context.owner().cancelTimer(late);
                    connection.close();
                })
                .resume();
    }
}
