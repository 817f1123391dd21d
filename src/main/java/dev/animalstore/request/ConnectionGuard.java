package dev.animalstore.request;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Bounds what one connection may cost the service, below HTTP, where Vert.x has no limit:
 *
 * <ul>
 *   <li>A request has {@link #TIME} from its first byte, or from the beginning of the connection, until its response begins. So a head that
 *       never ends is given up; every other wait (for a body, for a server) is shorter. Over HTTP/2 the limits of its frames serve instead.
 *   <li>Nothing is read from a client that does not read its responses, which would pile up in memory.
 * </ul>
 */
final class ConnectionGuard extends ChannelDuplexHandler {
    static final Duration TIME = Duration.ofSeconds(20);

    /** A connection is closed up to this much later. One look per connection costs less than one timer per request. */
    private static final Duration LOOK = Duration.ofSeconds(2);

    private static final long NOT_WAITING = Long.MIN_VALUE;

    private static final ByteBuf REQUEST_TIMEOUT = Unpooled.unreleasableBuffer(Unpooled.copiedBuffer(
            "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
            StandardCharsets.US_ASCII));

    private final Channel connection;
    private ScheduledFuture<?> looks;
    private boolean holdsBack;
    private boolean received;

    /** Since when a request is waited for, as {@link System#nanoTime()} has it. These two are used by the thread that accepts connections too. */
    private volatile long waitingSince = System.nanoTime();

    private volatile boolean closed;

    ConnectionGuard(Channel connection) {
        this.connection = connection;
    }

    /** How long the connection has waited for a request, or a request for its response; negative if neither is the case. */
    long waitingNanos() {
        long since = waitingSince;
        return since == NOT_WAITING || closed ? -1 : System.nanoTime() - since;
    }

    /** Closes the connection, from any thread, even if it does not belong to an event loop yet. */
    void close() {
        closed = true;
        if (connection.isRegistered()) {
            var unused = connection.close();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        looks = context.executor()
                .scheduleAtFixedRate(() -> look(context), LOOK.toNanos(), LOOK.toNanos(), TimeUnit.NANOSECONDS);
        super.channelActive(context);
        if (closed) {
            close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        looks.cancel(false);
        super.channelInactive(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (waitingSince == NOT_WAITING) {
            waitingSince = System.nanoTime();
        }
        received = true;
        super.channelRead(context, message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        waitingSince = NOT_WAITING;
        super.write(context, message, promise);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        super.channelReadComplete(context);
        holdBack();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
        holdBack();
        super.channelWritabilityChanged(context);
    }

    private void holdBack() {
        boolean writable = connection.isWritable();
        if (!writable && connection.config().isAutoRead()) {
            holdsBack = true;
            connection.config().setAutoRead(false);
        } else if (writable && holdsBack) {
            holdsBack = false;
            connection.config().setAutoRead(true);
        }
    }

    private void look(ChannelHandlerContext context) {
        if (context.pipeline().get(Http2ConnectionHandler.class) != null) {
            looks.cancel(false);
        } else if (waitingNanos() > TIME.toNanos()) {
            looks.cancel(false);
            if (received) {
                context.writeAndFlush(REQUEST_TIMEOUT.duplicate()).addListener(ChannelFutureListener.CLOSE);
            } else {
                close();
            }
        }
    }
}
