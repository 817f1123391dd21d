package dev.animalstore.request;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Limits what the connections of clients use, in addition to {@code quarkus.http.limits.max-connections}: the time of a head, the requests
 * that wait on a connection, and the response bytes that clients have not read on all connections together. A response that does not wait
 * for the body of its request closes the connection, and says so.
 *
 * <p>A Netty extension, found by the service loader once {@code Main} has enabled it: Vert.x and Quarkus have no such limits.
 */
@RegisterForReflection
public final class ConnectionLimits extends ChannelInitializerExtension {
    private static final int HEAD_SECONDS = 20;

    /** One read is decoded at once: at most 680 requests of 18 bytes, which take up to 170 KB. */
    private static final int READ_BYTES = 12 * 1024;

    private static final Pattern CLOSE = Pattern.compile("(?:^|,)\\s*close\\s*(?:$|,)", Pattern.CASE_INSENSITIVE);

    /** The rest of a container's memory, after the heap and the JVM itself. */
    private final long maximumUnread = Runtime.getRuntime().maxMemory() / 10;

    /** The connections whose clients read more slowly than responses are written, for the longest time first. */
    private final Set<Channel> slow = new LinkedHashSet<>();

    @Override
    public void postInitializeServerChildChannel(Channel connection) {
        connection.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(READ_BYTES));
        connection.pipeline().addFirst(new HeadTimeout());
    }

    /** Closes the slowest connections while too many bytes are unread. A client has had no time yet to read a new response. */
    private synchronized void limitUnread(Channel connection) {
        slow.add(connection);
        slow.removeIf(one -> one.isWritable() || !one.isOpen());
        while (slow.stream().mapToLong(Channel::bytesBeforeWritable).sum() > maximumUnread) {
            Channel slowest = slow.iterator().next();
            slow.remove(slowest);
            // From the first handler, since Vert.x's would wait until the responses are read.
            var unused = slowest.pipeline().firstContext().close();
        }
    }

    private static ScheduledFuture<?> closeAfter(ChannelHandlerContext context, long seconds) {
        Runnable close = () -> {
            var unused = context.close();
        };
        return context.executor().schedule(close, seconds, TimeUnit.SECONDS);
    }

    /** The first handler of a connection. It closes one whose head takes too long after its first byte. */
    private final class HeadTimeout extends ChannelInboundHandlerAdapter {
        private final Requests requests = new Requests();
        private boolean placed;
        private ScheduledFuture<?> timeout;

        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            // Vert.x adds its encoder before the first byte, or with TLS after the handshake.
            ChannelHandlerContext encoder = placed ? null : context.pipeline().context(HttpResponseEncoder.class);
            if (encoder != null) {
                context.pipeline().addAfter(encoder.name(), null, requests);
                placed = true;
            }
            requests.received = false;
            context.fireChannelRead(bytes);
            if (requests.received) {
                stop();
            } else if (timeout == null) {
                timeout = closeAfter(context, HEAD_SECONDS);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            stop();
            context.fireChannelInactive();
        }

        private void stop() {
            if (timeout != null) {
                timeout.cancel(false);
                timeout = null;
            }
        }
    }

    /**
     * The requests of a connection, between Netty's decoder and Vert.x, which responds to one after the other. While another one waits, or
     * the client does not read, nothing more is received.
     */
    private final class Requests extends ChannelDuplexHandler {
        /** Whether a head or a part of a body was received. */
        private boolean received;

        private int unanswered;

        /** Whether the last request was received completely. */
        private boolean complete;

        /** Whether a response has begun, closes the connection, and has ended so. */
        private boolean begun;

        private boolean closes;
        private boolean closed;

        /** Whether reading was paused here, rather than by Vert.x. */
        private boolean paused;

        @Override
        public void channelRead(ChannelHandlerContext context, Object part) {
            received = true;
            boolean broken = ((HttpObject) part).decoderResult().isFailure();
            complete = part instanceof LastHttpContent && !broken;
            if (closed) {
                ReferenceCountUtil.release(part);
            } else if (part instanceof HttpRequest request) {
                unanswered++;
                prepare(request);
                control(context.channel());
                context.fireChannelRead(part);
            } else if (broken && unanswered == 1 && !begun) {
                // Vert.x would close the connection without a response.
                ReferenceCountUtil.release(part);
                var refusal = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST);
                write(context, refusal, context.newPromise());
                context.flush();
            } else {
                context.fireChannelRead(part);
            }
        }

        /** Makes Vert.x refuse a later version of HTTP, and see every request to close the connection. */
        private void prepare(HttpRequest request) {
            HttpHeaders headers = request.headers();
            if (!request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                    && !request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
                request.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("unknown version")));
                request.setProtocolVersion(HttpVersion.HTTP_1_1);
            }
            ClientAddress.removeMalformed(headers);
            boolean broken = request.decoderResult().isFailure();
            String options = String.join(",", headers.getAll(HttpHeaderNames.CONNECTION));
            if (broken || (!options.isEmpty() && CLOSE.matcher(options).find())) {
                headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            }
            complete = !broken
                    && headers.get(HttpHeaderNames.CONTENT_LENGTH, "0").equals("0")
                    && !headers.contains(HttpHeaderNames.TRANSFER_ENCODING);
        }

        @Override
        public void write(ChannelHandlerContext context, Object part, ChannelPromise promise) {
            if (part instanceof HttpResponse head && head.status().codeClass() != HttpStatusClass.INFORMATIONAL) {
                begun = true;
                if (unanswered == 1 && !complete) {
                    head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
                }
                closes = head.headers().contains(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true);
            }
            boolean ends = begun && part instanceof LastHttpContent;
            var unused = context.write(
                    part, ends && closes ? promise.unvoid().addListener(sent -> endOutput(context)) : promise);
            if (ends) {
                begun = false;
                closed = closes;
                unanswered--;
                control(context.channel());
            }
        }

        /**
         * Drops what still arrives for a while: closing a connection with unread bytes resets it, and the client would lose the response
         * (RFC 9112, section 9.6).
         */
        private static void endOutput(ChannelHandlerContext context) {
            Channel connection = context.channel();
            connection.config().setAutoRead(true);
            var timeout = closeAfter(context, BodyFilter.TIME.toSeconds());
            connection.closeFuture().addListener(ended -> timeout.cancel(false));
            var unused = ((DuplexChannel) connection).shutdownOutput();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            control(context.channel());
            context.fireChannelWritabilityChanged();
        }

        private void control(Channel connection) {
            boolean writable = connection.isWritable();
            if (!writable) {
                limitUnread(connection);
            }
            boolean receives = unanswered <= 1 && writable;
            if (paused ? receives : !receives && connection.config().isAutoRead()) {
                paused = !receives;
                connection.config().setAutoRead(receives);
            }
        }
    }
}
