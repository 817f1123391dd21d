package dev.animalstore.request;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/**
 * Handles the unread rest of a request's body after the response, whichever handler sent it. Quarkus pauses every request, and an unread
 * body would block the connection for later requests.
 *
 * <p>A body of at most {@value #MAXIMUM_DROPPED_BYTES} bytes is received and dropped, and the connection serves the next request. A longer
 * one, one of unknown length, or one that the client may be holding back ({@code Expect: 100-continue}) closes the connection, which the
 * response announces (RFC 9112, section 9.3). Bytes that arrive afterwards are discarded for a while: closing a connection with unread
 * bytes resets it, and a client that writes its whole request before it reads would not get the response (section 9.6).
 */
@ApplicationScoped
class UnreadBody {
    /** The default of nginx for the size of a body. */
    static final long MAXIMUM_DROPPED_BYTES = 1024 * 1024;

    /** Whether the response closes the connection, as a property of the exchange. */
    private static final String CLOSES = UnreadBody.class.getName();

    private static final int REQUEST_TIMEOUT = 408;

    void register(@Observes Router router) {
        router.route().order(Integer.MIN_VALUE).handler(exchange -> {
            watch(exchange);
            exchange.next();
        });
    }

    /** Prepares for the unread body of a request whose response has not begun. */
    static void watch(RoutingContext exchange) {
        HttpServerRequest request = exchange.request();
        if (!hasBody(request)) {
            return;
        }
        // Each time, since rerouting an exchange removes these handlers and keeps the others.
        exchange.addHeadersEndHandler(ignored -> {
            if (!request.isEnded() && !isReusable(request, exchange.response())) {
                exchange.put(CLOSES, true);
                exchange.response().headers().set(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            }
        });
        if (exchange.get(CLOSES) == null) {
            exchange.put(CLOSES, false);
            disposeAtTheEnd(exchange);
        }
    }

    private static void disposeAtTheEnd(RoutingContext exchange) {
        Context context = exchange.vertx().getOrCreateContext();
        exchange.addEndHandler(sent -> {
            if (sent.succeeded() && exchange.<Boolean>get(CLOSES)) {
                context.runOnContext(ignored -> close(exchange));
            } else if (sent.succeeded() && !exchange.request().isEnded()) {
                context.runOnContext(ignored -> drop(exchange));
            }
        });
    }

    private static boolean hasBody(HttpServerRequest request) {
        return request.headers().contains(HttpHeaders.CONTENT_LENGTH)
                || request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
    }

    /** Whether the connection can serve the next request after receiving the rest of the body, and waiting for it is acceptable. */
    private static boolean isReusable(HttpServerRequest request, HttpServerResponse response) {
        return response.getStatusCode() != REQUEST_TIMEOUT
                && !request.headers().contains(HttpHeaders.EXPECT)
                && !request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
                && Long.parseLong(request.getHeader(HttpHeaders.CONTENT_LENGTH)) <= MAXIMUM_DROPPED_BYTES;
    }

    private static void drop(RoutingContext exchange) {
        HttpServerRequest request = exchange.request();
        if (request.isEnded()) {
            return;
        }
        long timer = exchange.vertx()
                .setTimer(
                        BodyFilter.TIME.toMillis(),
                        ignored -> request.connection().close());
        request.exceptionHandler(ignored -> exchange.vertx().cancelTimer(timer));
        request.endHandler(ignored -> exchange.vertx().cancelTimer(timer));
        request.handler(ignored -> {});
        request.resume();
    }

    /** Closes the service's half of a connection. The other half ends when the client closes it, or after the time limit of a body. */
    private static void close(RoutingContext exchange) {
        ConnectionBase connection = (ConnectionBase) exchange.request().connection();
        Channel channel = connection.channel();
        // Before the decoder, so that no further request is read from a connection announced as closed.
        channel.pipeline().addFirst(new Discard());
        channel.config().setAutoRead(true);
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ignored -> endOutput(channel));
        long timer = exchange.vertx().setTimer(BodyFilter.TIME.toMillis(), ignored -> connection.close());
        channel.closeFuture().addListener(ignored -> exchange.vertx().cancelTimer(timer));
    }

    private static void endOutput(Channel channel) {
        if (channel instanceof DuplexChannel duplex) {
            var unused = duplex.shutdownOutput();
        }
    }

    /** Hides all input from the handlers after it, including {@link ConnectionGuard}, which waits for output that has ended. */
    private static final class Discard extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ReferenceCountUtil.release(message);
        }

        /** Closes the connection when the client has closed its half. */
        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
            if (event == ChannelInputShutdownEvent.INSTANCE) {
                context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            } else {
                super.userEventTriggered(context, event);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            // The input was discarded.
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            // There is no more output.
        }
    }
}
