package dev.animalstore.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * The requests of a connection, between Netty's decoder and Vert.x, which responds to one after the other. If too many wait, or the client
 * does not read responses, the latest request is the last. What is behind it is dropped. A response that does not wait for the body of its
 * request closes the connection, and says so.
 */
final class ClientConnection extends IdleStateHandler {
    /** Vert.x begins a request that waits within the end of the one before, so all of them can be on the stack. */
    private static final int MAXIMUM_WAITING = 100;

    private static final int MAXIMUM_UNREAD_BYTES = 1024 * 1024;

    private static final DecoderResult BEHIND_THE_END =
            DecoderResult.failure(new IllegalStateException("The connection closes before this request"));

    final Channel channel;
    private final Consumer<ClientConnection> limitUnread;

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

    /** Since when the connection waits for a complete request, by {@link System#nanoTime}; the greatest number while one is in process. */
    private volatile long waitingSince = System.nanoTime();

    /**
     * @param idleSeconds how long it may be without a request, and the head of one may take
     * @param limitUnread called when a response was written faster than the client reads
     */
    ClientConnection(Channel channel, int idleSeconds, Consumer<ClientConnection> limitUnread) {
        super(idleSeconds, 0, 0);
        this.channel = channel;
        this.limitUnread = limitUnread;
    }

    long waitingSince() {
        return waitingSince;
    }

    /** Closes the connection, once the client has read the last response. Bytes of an unfinished head are no part of a request. */
    @Override
    protected void channelIdle(ChannelHandlerContext context, IdleStateEvent none) {
        if (waiting.isEmpty()) {
            context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> closeAtOnce());
        }
    }

    /** Closes the connection without waiting until its client has read the responses. */
    void closeAtOnce() {
        ChannelHandlerContext first = channel.pipeline().firstContext();
        if (first != null) {
            var unused = first.close();
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
            boolean tooMany = waiting.size() == MAXIMUM_WAITING || channel.bytesBeforeWritable() > MAXIMUM_UNREAD_BYTES;
            last = RequestHead.correct(request, tooMany);
            complete = RequestHead.isWhole(request);
        }
        if (complete && !waiting.isEmpty()) {
            waitingSince = Long.MAX_VALUE;
        }
        if (broken && !(part instanceof HttpRequest) && isIncomplete() && !begun) {
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
            if (isIncomplete()) {
                head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            }
            closes = closes || head.headers().contains(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true);
        }
        boolean ends = begun && part instanceof LastHttpContent;
        var unused = context.write(part, ends && closes ? promise.unvoid().addListener(sent -> endOutput()) : promise);
        if (ends) {
            begun = false;
            waiting.poll();
            if (closes) {
                behind = true;
                // Vert.x does not process what is malformed, and the client expects that (RFC 9112, section 9.6).
                waiting.forEach(request -> request.setDecoderResult(BEHIND_THE_END));
                waiting.clear();
            }
            if (waiting.isEmpty() || isIncomplete()) {
                waitingSince = System.nanoTime();
            }
            resetReadTimeout();
            if (!channel.isWritable()) {
                limitUnread.accept(this);
            }
        }
    }

    /** Whether a part of one request is all there is. */
    private boolean isIncomplete() {
        return waiting.size() == 1 && !complete;
    }

    /** What still arrives is dropped until the client closes the connection, too, or it is idle. */
    private void endOutput() {
        channel.config().setAutoRead(true);
        var unused = ((DuplexChannel) channel).shutdownOutput();
    }

    /** Vert.x would close at once. Bytes that arrive then reset the connection: the client loses the response (RFC 9112, section 9.6). */
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        var unused = closes && !begun && !ConnectionDraining.over
                ? channel.closeFuture().addListener(closed -> promise.trySuccess())
                : context.close(promise);
    }
}
