package dev.animalstore.http;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.ReferenceCountUtil;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * Limits what the connections of clients use, in addition to {@code quarkus.http.limits.max-connections}: the time of a head, the requests
 * that wait on a connection, and the response bytes that clients have not read on all connections together. A response that does not wait
 * for the body of its request closes the connection, and says so.
 *
 * <p>A Netty extension, found by the service loader once {@code Main} has enabled it: Vert.x and Quarkus have no such limits.
 */
@RegisterForReflection
public final class ConnectionLimits extends ChannelInitializerExtension {
    /** One read is decoded at once, and other connections wait meanwhile: at most 227 requests of 18 bytes. */
    private static final int READ_BYTES = 4 * 1024;

    /** Of one connection. Vert.x begins a request that waits within the end of the one before, so all of them can be on the stack. */
    private static final int MAXIMUM_WAITING = 100;

    private static final int MAXIMUM_UNREAD_BYTES = 1024 * 1024;

    private static final DecoderResult BEHIND_THE_END =
            DecoderResult.failure(new IllegalStateException("The connection closes before this request"));

    /** How long a connection may be without a request, and the head of one may take. */
    private final int idleSeconds = (int) ConfigProvider.getConfig()
            .getValue("quarkus.http.idle-timeout", Duration.class)
            .toSeconds();

    /** The rest of a container's memory, after the heap and the JVM itself. */
    private final long maximumUnread = Runtime.getRuntime().maxMemory() / 10;

    /** The connections whose clients read more slowly than responses are written, for the longest time first. */
    private final Set<Channel> slow = new LinkedHashSet<>();

    @Override
    public void postInitializeServerChildChannel(Channel connection) {
        connection.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(READ_BYTES).maxMessagesPerRead(1));
        connection.pipeline().addFirst(new FirstByte());
    }

    /** Closes the slowest connections while too many bytes are unread; the present one last, whose client has had no time yet to read. */
    private synchronized void limitUnread(Channel connection) {
        slow.add(connection);
        slow.removeIf(one -> one.isWritable() || !one.isOpen());
        while (slow.stream().mapToLong(Channel::bytesBeforeWritable).sum() > maximumUnread) {
            Channel slowest = slow.iterator().next();
            slow.remove(slowest);
            var unused = slowest.pipeline().firstContext().close(); // Others would wait until the responses are read.
        }
    }

    /** Adds {@link Requests} behind the encoder, which Vert.x adds before the first byte, or with TLS after the handshake. */
    private final class FirstByte extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            ChannelHandlerContext encoder = context.pipeline().context(HttpResponseEncoder.class);
            if (encoder != null) {
                context.pipeline()
                        .addAfter(encoder.name(), null, new Requests())
                        .remove(this);
            }
            context.fireChannelRead(bytes);
        }
    }

    /**
     * The requests of a connection, between Netty's decoder and Vert.x, which responds to one after the other. If too many wait, or the client
     * does not read responses, the latest request is the last. What is behind it is dropped.
     */
    private final class Requests extends IdleStateHandler {
        /** Those whose response has not ended. */
        private final Queue<HttpRequest> waiting = new ArrayDeque<>();

        /** Whether the latest request was received completely. */
        private boolean complete;

        /** Whether the latest request closes the connection, and whether what arrives is behind it. */
        private boolean last;

        private boolean behind;

        /** Whether a response has begun, and whether one has that closes the connection. */
        private boolean begun;

        private boolean closes;

        Requests() {
            super(idleSeconds, 0, 0);
        }

        /** Closes the connection, once the client has read the last response. Bytes of an unfinished head are no part of a request. */
        @Override
        protected void channelIdle(ChannelHandlerContext context, IdleStateEvent none) {
            if (waiting.isEmpty()) {
                closes = false; // So close() waits no longer.
                context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object part) throws Exception {
            behind = behind || (last && part instanceof HttpRequest);
            if (behind) {
                ReferenceCountUtil.release(part);
                return;
            }
            boolean broken = ((HttpObject) part).decoderResult().isFailure();
            complete = part instanceof LastHttpContent && !broken;
            if (part instanceof HttpRequest request) {
                waiting.add(request);
                boolean tooMany = waiting.size() == MAXIMUM_WAITING
                        || context.channel().bytesBeforeWritable() > MAXIMUM_UNREAD_BYTES;
                last = RequestHead.correct(request, tooMany);
                complete = RequestHead.isWhole(request);
                super.channelRead(context, part);
            } else if (broken && waiting.size() == 1 && !begun) {
                // Vert.x would close the connection without a response.
                ReferenceCountUtil.release(part);
                var refusal = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST);
                write(context, refusal, context.newPromise());
                context.flush();
            } else {
                super.channelRead(context, part);
            }
        }

        @Override
        public void write(ChannelHandlerContext context, Object part, ChannelPromise promise) {
            if (part instanceof HttpResponse head && head.status().codeClass() != HttpStatusClass.INFORMATIONAL) {
                begun = true;
                if (waiting.size() == 1 && !complete) {
                    head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
                }
                closes = closes || head.headers().contains(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true);
            }
            boolean ends = begun && part instanceof LastHttpContent;
            var unused = context.write(
                    part, ends && closes ? promise.unvoid().addListener(sent -> endOutput(context)) : promise);
            if (ends) {
                begun = false;
                waiting.poll();
                if (closes) {
                    behind = true;
                    // Vert.x does not process what is malformed, and the client expects that (RFC 9112, section 9.6).
                    waiting.forEach(request -> request.setDecoderResult(BEHIND_THE_END));
                    waiting.clear();
                }
                resetReadTimeout();
                if (!context.channel().isWritable()) {
                    limitUnread(context.channel());
                }
            }
        }

        /** What still arrives is dropped until the client closes the connection, too, or it is idle. */
        private static void endOutput(ChannelHandlerContext context) {
            context.channel().config().setAutoRead(true);
            var unused = ((DuplexChannel) context.channel()).shutdownOutput();
        }

        /** Vert.x would close at once. Bytes that arrive then reset the connection: the client loses the response (RFC 9112, section 9.6). */
        @Override
        public void close(ChannelHandlerContext context, ChannelPromise promise) {
            var unused = closes && !begun && !ConnectionDraining.over
                    ? context.channel().closeFuture().addListener(closed -> promise.trySuccess())
                    : context.close(promise);
        }
    }
}
