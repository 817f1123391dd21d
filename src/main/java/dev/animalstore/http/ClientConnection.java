package dev.animalstore.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * A connection of a client, which processes one request at a time. The head of another one is held, and nothing is read behind it, until
 * the response before it has ended and the client reads it. A response that does not wait for the body of its request closes the
 * connection, and says so.
 */
final class ClientConnection extends ChannelDuplexHandler {
    /** How long a response that closes the connection can be read while the client still sends. */
    private static final Duration LINGERING = Duration.ofSeconds(30);

    private enum State {
        /** No request is in process. */
        IDLE,
        /** The body of a request is incomplete, and no response has begun. */
        RECEIVING,
        /** A request is complete, and its response has not ended. */
        RECEIVED,
        /** A response that closes the connection has begun. What arrives is dropped. */
        CLOSING
    }

    private final DuplexChannel channel;
    private final Runnable limitUnread;
    private State state = State.IDLE;

    /** The head that is held; {@code null} if none is. */
    private HttpRequest next;

    /** Since when the connection waits for a complete request, by {@link System#nanoTime}; the greatest number while one is in process. */
    private volatile long waitingSince = System.nanoTime();

    /** @param limitUnread called when a response was written faster than the client reads */
    ClientConnection(DuplexChannel channel, Runnable limitUnread) {
        this.channel = channel;
        this.limitUnread = limitUnread;
    }

    long waitingSince() {
        return waitingSince;
    }

    boolean isWaiting() {
        return waitingSince != Long.MAX_VALUE;
    }

    /** How many bytes were written faster than the client reads them. */
    long unreadBytes() {
        return channel.isWritable() || channel.isOutputShutdown() ? 0 : channel.bytesBeforeWritable();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object part) {
        if (state == State.CLOSING) {
            ReferenceCountUtil.release(part);
        } else if (!(part instanceof HttpRequest request)) {
            if (state == State.RECEIVING && ((HttpObject) part).decoderResult().isFailure()) {
                // Vert.x closes the connection, and does not respond.
                var refusal = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST);
                write(context, refusal, context.newPromise());
                context.flush();
            } else if (state == State.RECEIVING && part instanceof LastHttpContent) {
                enter(State.RECEIVED);
            }
            context.fireChannelRead(part);
        } else if (isReady()) {
            RequestHead.correct(request);
            enter(RequestHead.isWhole(request) ? State.RECEIVED : State.RECEIVING);
            context.fireChannelRead(request);
        } else {
            next = request;
            channel.config().setAutoRead(false);
        }
    }

    private void enter(State entered) {
        state = entered;
        if (state != State.RECEIVING) {
            waitingSince = state == State.RECEIVED ? Long.MAX_VALUE : System.nanoTime();
        }
    }

    /** Vert.x also reads on, once it has processed a body. */
    @Override
    public void read(ChannelHandlerContext context) {
        HttpRequest request = next;
        if (request != null && !isReady()) {
            channel.config().setAutoRead(false);
            return;
        }
        if (request != null) {
            next = null;
            channelRead(context, request);
        }
        context.read();
        // Vert.x flushes the response only then, and what was queued may be all.
        context.fireChannelReadComplete();
    }

    private boolean isReady() {
        return state == State.IDLE && channel.isWritable();
    }

    @Override
    public void write(ChannelHandlerContext context, Object part, ChannelPromise promise) {
        boolean interim = part instanceof HttpResponse head && head.status().equals(HttpResponseStatus.CONTINUE);
        if (part instanceof HttpResponse head && !interim) {
            begin(context, head.headers());
        }
        boolean ends = part instanceof LastHttpContent && !interim;
        var unused = context.write(part, ends ? end(context, promise) : promise);
        if (unreadBytes() > 0) {
            limitUnread.run();
        }
    }

    /** Closes the connection behind the response if it is to be, or if the body of the request has not arrived. */
    private void begin(ChannelHandlerContext context, HttpHeaders response) {
        if (state == State.RECEIVING) {
            response.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        if (response.contains(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true)) {
            enter(State.CLOSING);
            next = null;
            readLater(context);
        }
    }

    private ChannelPromise end(ChannelHandlerContext context, ChannelPromise promise) {
        if (state == State.CLOSING) {
            return promise.unvoid().addListener(sent -> endOutput());
        }
        enter(State.IDLE);
        if (next != null) {
            readLater(context);
        }
        return promise;
    }

    private void endOutput() {
        var unused = channel.shutdownOutput();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (next != null) {
            readLater(context);
        }
        context.fireChannelWritabilityChanged();
    }

    /** Reads on, but not within the end of the response before, since then all of them would be on the stack. */
    private void readLater(ChannelHandlerContext context) {
        context.executor().execute(() -> channel.config().setAutoRead(true));
    }

    /** Vert.x would close at once. Bytes that arrive then reset the connection: the client loses the response (RFC 9112, section 9.6). */
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        boolean lingers = state == State.CLOSING
                && !ClientConnections.draining
                && System.nanoTime() - waitingSince < LINGERING.toNanos();
        var unused =
                lingers ? channel.closeFuture().addListener(closed -> promise.trySuccess()) : context.close(promise);
    }

    /**
     * Closes the connection without waiting until its client has read the responses, if a condition still holds once what it has read is
     * processed.
     */
    void closeIf(Predicate<ClientConnection> condition, Runnable otherwise) {
        channel.eventLoop().execute(() -> {
            if (!channel.isOpen()) {
                return;
            }
            if (condition.test(this)) {
                var unused = channel.pipeline().firstContext().close();
            } else {
                otherwise.run();
            }
        });
    }
}
