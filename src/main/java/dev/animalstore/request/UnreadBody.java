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
 * Disposes of what is left of a request's body once the response is sent, whoever sent it. Quarkus pauses every request, and a body that
 * nobody reads would keep the connection from ever serving another one.
 *
 * <p>A body of at most {@value #MAXIMUM_DROPPED_BYTES} bytes is received and dropped, and the connection serves the next request. A longer
 * one, one of unknown length, or one that the client may be holding back ({@code Expect: 100-continue}) closes the connection, which the
 * response announces (RFC 9112, section 9.3). Bytes that arrive after it are then discarded for a while, because a connection that is closed
 * before they are read is reset, and a client that writes all of its request before it reads would not get the response (section 9.6).
 */
@ApplicationScoped
class UnreadBody {
    /** As much as nginx lets a client send by default. */
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

    /** Sees to the body of a request whose response has not begun. */
    static void watch(RoutingContext exchange) {
        HttpServerRequest request = exchange.request();
        if (!hasBody(request)) {
            return;
        }
        // Each time, since an exchange that is routed anew loses these handlers, and keeps the others.
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

    /** Whether the connection serves the next request once the rest of the body has arrived, and that is worth waiting for. */
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
                        BodyFilter.TIME.toMillis(), late -> request.connection().close());
        request.exceptionHandler(gone -> exchange.vertx().cancelTimer(timer));
        request.endHandler(end -> exchange.vertx().cancelTimer(timer));
        request.handler(ignored -> {});
        request.resume();
    }

    /** Ends the service's half of a connection, and the other one when the client does, or after the time that a body may take. */
    private static void close(RoutingContext exchange) {
        ConnectionBase connection = (ConnectionBase) exchange.request().connection();
        Channel channel = connection.channel();
        // In front of the decoder, so that no further request is read from a connection that is said to be closed.
        channel.pipeline().addFirst(new Discard());
        channel.config().setAutoRead(true);
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(flushed -> endOutput(channel));
        long timer = exchange.vertx().setTimer(BodyFilter.TIME.toMillis(), late -> connection.close());
        channel.closeFuture().addListener(closed -> exchange.vertx().cancelTimer(timer));
    }

    private static void endOutput(Channel channel) {
        if (channel instanceof DuplexChannel duplex) {
            var unused = duplex.shutdownOutput();
        }
    }

    /** Keeps everything that arrives from the handlers behind it, {@link ConnectionGuard} included, which waits for an output that is ended. */
    private static final class Discard extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ReferenceCountUtil.release(message);
        }

        /** The connection has no use once the client has its response. */
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
            // Nothing was read that anybody has to know of.
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            // Nothing will be written.
        }
    }
}
