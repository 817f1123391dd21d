package dev.animalstore.request;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.vertx.core.net.impl.VertxHandler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Bounds what one connection may cost the service, below HTTP, where Vert.x has no limit:
 *
 * <ul>
 *   <li>A request has {@link #TIME} from its first byte, or from the beginning of the connection, until its response begins. So a head that
 *       never ends is given up; every other wait (for a body, for a server) is shorter.
 *   <li>Requests are processed, and received, no faster than the client reads the responses, which {@link PipelinedRequests} sees to.
 *   <li>A client that has ended its half of the connection gets the responses to the requests that it has sent, and then the connection is
 *       closed (RFC 9112, section 9.6).
 * </ul>
 */
final class ConnectionGuard extends ChannelInboundHandlerAdapter {
    static final Duration TIME = Duration.ofSeconds(20);

    /** A connection is closed up to this much later. One look per connection costs less than one timer per request. */
    private static final Duration LOOK = Duration.ofSeconds(2);

    /** Not as a buffer, which a native executable cannot keep from its build. */
    private static final String REQUEST_TIMEOUT =
            "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

    private final Channel connection;
    private final PipelinedRequests requests;
    private ScheduledFuture<?> looks;
    private boolean received;

    /** These three are used by the thread that accepts connections too; the time is {@link System#nanoTime()}. */
    private volatile ConnectionPhase phase = ConnectionPhase.AWAITING_REQUEST;

    private volatile long since = System.nanoTime();
    private volatile boolean closed;

    /**
     * A guard of that connection.
     *
     * @param unsent is run if the client does not read as fast as responses are written
     */
    ConnectionGuard(Channel connection, Runnable unsent) {
        this.connection = connection;
        this.requests = new PipelinedRequests(this, unsent);
    }

    ConnectionPhase phase() {
        return phase;
    }

    /** How long the request has been waited for or processed, or otherwise how long ago the phase began. */
    long nanos() {
        return System.nanoTime() - since;
    }

    /** Whether the connection may be closed to make room for another one, and has not been. */
    boolean givesWay() {
        return !closed && phase != ConnectionPhase.PROCESSING;
    }

    /** How many bytes of responses the client has not taken, of a connection that is open. */
    long unsentBytes() {
        ChannelOutboundBuffer buffer = connection.unsafe().outboundBuffer();
        return closed || buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    /** Closes the connection, from any thread, even if it does not belong to an event loop yet, and without waiting for unsent responses. */
    void close() {
        closed = true;
        if (connection.isRegistered()) {
            var unused = connection.pipeline().firstContext().close();
        }
    }

    /** A request is processed from now on. Its time began with its first byte, if that was not received while another one was processed. */
    void processing() {
        if (phase != ConnectionPhase.AWAITING_REQUEST) {
            since = System.nanoTime();
        }
        phase = ConnectionPhase.PROCESSING;
    }

    void responding() {
        begin(ConnectionPhase.RESPONDING);
    }

    void keptAlive() {
        begin(ConnectionPhase.KEPT_ALIVE);
    }

    private void begin(ConnectionPhase next) {
        since = System.nanoTime();
        phase = next;
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
        received = true;
        placeRequests(context.pipeline());
        if (phase == ConnectionPhase.KEPT_ALIVE) {
            begin(ConnectionPhase.AWAITING_REQUEST);
        }
        super.channelRead(context, message);
    }

    /** Vert.x puts its own handler in place before the first byte, or with TLS behind the handshake. */
    private void placeRequests(ChannelPipeline pipeline) {
        ChannelHandlerContext http = pipeline.context(VertxHandler.class);
        if (http != null && pipeline.context(requests) == null) {
            pipeline.addBefore(http.name(), null, requests);
        }
    }

    /** The decoder is not told of the end, because it would make a request of what was received of one. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event != ChannelInputShutdownEvent.INSTANCE) {
            super.userEventTriggered(context, event);
        } else if (!requests.endInput()) {
            context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void look(ChannelHandlerContext context) {
        if (phase.isTimed() && nanos() > TIME.toNanos()) {
            looks.cancel(false);
            if (received) {
                context.writeAndFlush(Unpooled.copiedBuffer(REQUEST_TIMEOUT, StandardCharsets.US_ASCII))
                        .addListener(ChannelFutureListener.CLOSE);
            } else {
                close();
            }
        }
    }
}
