package dev.animalstore.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * A connection, which passes on one request at a time: none while its client does not read the response before, and none behind a response
 * that closes it. Vert.x would keep all that arrive in memory, and process them though their responses cannot be sent.
 */
final class ClientConnection extends ChannelDuplexHandler {
    /** What one read brings is decoded at once, and kept until it is its turn. */
    private static final int READ_BYTES = 4 * 1024;

    private static final long NOT_WAITING = Long.MAX_VALUE;

    private final Channel channel;
    private final Queue<Object> later = new ArrayDeque<>();

    /** Since when it waits for a complete request. */
    private volatile long waitingSince = System.nanoTime();

    /** Whether the response to the last request has not ended. */
    private boolean responding;

    /** Whether a response has announced that it is the last. */
    private boolean closing;

    ClientConnection(Channel channel) {
        this.channel = channel;
        channel.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(READ_BYTES).maxMessagesPerRead(1));
        channel.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
            /** Vert.x adds the codec before the first byte, or with TLS after the handshake. */
            @Override
            public void channelRead(ChannelHandlerContext context, Object bytes) {
                ChannelHandlerContext codec = context.pipeline().context(HttpResponseEncoder.class);
                if (codec != null) {
                    context.pipeline()
                            .addAfter(codec.name(), null, ClientConnection.this)
                            .remove(this);
                }
                context.fireChannelRead(bytes);
            }
        });
    }

    Channel channel() {
        return channel;
    }

    /** By {@link System#nanoTime}. */
    long waitingSince() {
        return waitingSince;
    }

    /** Whether it waits for its client, to send a request or to read a response. */
    boolean isWaiting() {
        return waitingSince != NOT_WAITING || !channel.isWritable();
    }

    /** Vert.x itself would close it only once the client has read its responses. */
    void close() {
        var unused = channel.pipeline().firstContext().close();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object part) {
        later.add(part);
        passOn(context);
    }

    /** Passes on what has arrived, up to a request that waits until the response before it has ended and is read, or is not to be served. */
    private void passOn(ChannelHandlerContext context) {
        while (!later.isEmpty() && !(isBusy() && later.peek() instanceof HttpRequest)) {
            Object part = later.remove();
            if (part instanceof HttpRequest head) {
                RequestHead.correct(head);
                responding = true;
            }
            if (part instanceof LastHttpContent && responding) {
                waitingSince = NOT_WAITING;
            }
            context.fireChannelRead(part);
        }
        if (!later.isEmpty()) {
            channel.config().setAutoRead(false);
        }
    }

    private boolean isBusy() {
        return responding || closing || !channel.isWritable();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        readOn(context);
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void write(ChannelHandlerContext context, Object part, ChannelPromise promise) {
        boolean interim = part instanceof HttpResponse head && head.status().equals(HttpResponseStatus.CONTINUE);
        if (part instanceof HttpResponse head) {
            closing = head.headers().contains(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true);
        }
        if (part instanceof LastHttpContent && !interim) {
            responding = false;
            waitingSince = System.nanoTime();
            readOn(context);
        }
        var unused = context.write(part, promise);
    }

    /** Not within the end of the response before, since then all responses would be on the stack. */
    private void readOn(ChannelHandlerContext context) {
        if (!later.isEmpty()) {
            context.executor().execute(() -> {
                passOn(context);
                channel.config().setAutoRead(later.isEmpty());
                // Vert.x flushes only then.
                context.fireChannelReadComplete();
            });
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        later.forEach(ReferenceCountUtil::release);
        later.clear();
        context.fireChannelInactive();
    }
}
