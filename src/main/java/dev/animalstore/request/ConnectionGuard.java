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
 * Limits the resources of one connection, below HTTP, where Vert.x has no limit:
 * <ul>
 * <li>A request has {@link #TIME} from its first byte, or from the start of the connection, until its response begins. So an unfinished
 * head times out; every other wait (for a body, for a server) is shorter.
 * <li>Requests are received and processed no faster than the client reads the responses ({@link PipelinedRequests}).
 * <li>A client that has closed its half of the connection gets the responses to the requests that it has sent, and then the connection is
 * closed (RFC 9112, section 9.6).
 * </ul>
 */
final class ConnectionGuard extends ChannelInboundHandlerAdapter {
    static final Duration TIME = Duration.ofSeconds(20);

    /** A connection is closed up to this much later. One periodic check per connection costs less than one timer per request. */
    private static final Duration CHECK_EVERY = Duration.ofSeconds(2);

    /** A string, since a native executable cannot keep a buffer from its build. */
    private static final String REQUEST_TIMEOUT =
            "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

    private final Channel connection;
    private final PipelinedRequests requests;
    private ScheduledFuture<?> checks;
    private boolean received;

    /** These three are also read by the thread that accepts connections; the time is {@link System#nanoTime()}. */
    private volatile ConnectionPhase phase = ConnectionPhase.AWAITING_REQUEST;

    private volatile long since = System.nanoTime();
    private volatile boolean closed;

    /**
     * Guards a connection.
     *
     * @param unsent runs if the client does not read as fast as responses are written
     */
    ConnectionGuard(Channel connection, Runnable unsent) {
        this.connection = connection;
        this.requests = new PipelinedRequests(this, unsent);
    }

    ConnectionPhase phase() {
        return phase;
    }

    /** How long the service has waited for the request or processed it, or otherwise the age of the phase. */
    long nanos() {
        return System.nanoTime() - since;
    }

    /** Whether the connection may be closed in favour of a new one, and is still open. */
    boolean givesWay() {
        return !closed && phase != ConnectionPhase.PROCESSING;
    }

    /** How many response bytes an open connection has buffered. */
    long unsentBytes() {
        ChannelOutboundBuffer buffer = connection.unsafe().outboundBuffer();
        return closed || buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    /** Closes the connection, from any thread, even before it is registered with an event loop, and without waiting for unsent responses. */
    void close() {
        closed = true;
        if (connection.isRegistered()) {
            var unused = connection.pipeline().firstContext().close();
        }
    }

    /**
     * Marks the start of processing a request. Its time runs from its first byte, unless that was received while another request was
     * processed.
     */
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
        checks = context.executor()
                .scheduleAtFixedRate(
                        () -> check(context), CHECK_EVERY.toNanos(), CHECK_EVERY.toNanos(), TimeUnit.NANOSECONDS);
        super.channelActive(context);
        if (closed) {
            close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        checks.cancel(false);
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

    /** Vert.x adds its own handler before the first byte, or with TLS after the handshake. */
    private void placeRequests(ChannelPipeline pipeline) {
        ChannelHandlerContext http = pipeline.context(VertxHandler.class);
        if (http != null && pipeline.context(requests) == null) {
            pipeline.addBefore(http.name(), null, requests);
        }
    }

    /** Hides the end of input from the decoder, which would otherwise turn a partial request into a request. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event != ChannelInputShutdownEvent.INSTANCE) {
            super.userEventTriggered(context, event);
        } else if (!requests.endInput()) {
            context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void check(ChannelHandlerContext context) {
        if (phase.isTimed() && nanos() > TIME.toNanos()) {
            checks.cancel(false);
            if (received) {
                context.writeAndFlush(Unpooled.copiedBuffer(REQUEST_TIMEOUT, StandardCharsets.US_ASCII))
                        .addListener(ChannelFutureListener.CLOSE);
            } else {
                close();
            }
        }
    }
}
