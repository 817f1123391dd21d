package dev.animalstore.request;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;

/**
 * Passes the requests of a connection to Vert.x one by one: the next one when the response to the previous one has ended and the client has
 * read most of it. Vert.x alone would process everything it has received, and keep every response that the client does not read. While
 * requests wait or responses are unread, nothing more is received.
 *
 * <p>Any member of the list {@code Connection} may request that the connection is closed (RFC 9110, section 7.6.1), while Vert.x recognises
 * only a header with one member. No request is processed after a response that closes the connection, for whatever reason.
 */
final class PipelinedRequests extends ChannelDuplexHandler {
    private static final List<String> CHUNKED = List.of("chunked");

    private final ConnectionGuard guard;
    private final Runnable unsent;

    /** The received parts of requests that were not passed to Vert.x yet. */
    private final Queue<Object> waiting = new ArrayDeque<>();

    /** Whether Vert.x is processing a request. */
    private boolean busy;

    /** Whether the last request was received completely. */
    private boolean complete;

    /** Whether reading was paused here, rather than by Vert.x. */
    private boolean holdsBack;

    private boolean inputEnded;
    private boolean closes;

    PipelinedRequests(ConnectionGuard guard, Runnable unsent) {
        this.guard = guard;
        this.unsent = unsent;
    }

    /** Records that the client sends no more, and returns whether it waits for a response. */
    boolean endInput() {
        inputEnded = true;
        return (busy && (complete || !waiting.isEmpty())) || !isLast();
    }

    /** Whether no response can follow the current one, even if parts of its request still wait. */
    private boolean isLast() {
        return closes
                || (inputEnded
                        && waiting.stream()
                                .dropWhile(part -> !(part instanceof HttpRequest))
                                .noneMatch(LastHttpContent.class::isInstance));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object part) {
        complete = part instanceof LastHttpContent;
        if (part instanceof HttpRequest request) {
            examine(request);
        }
        if (!waiting.isEmpty() || (part instanceof HttpRequest && !isFree(context))) {
            waiting.add(part);
            holdBack(context);
        } else {
            pass(context, part);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object part, ChannelPromise promise) throws Exception {
        if (part instanceof HttpResponse response) {
            if (response.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
                super.write(context, part, promise);
                return;
            }
            begin(response.headers());
        }
        super.write(context, part, part instanceof LastHttpContent ? end(context, promise) : promise);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
        if (!context.channel().isWritable()) {
            holdBack(context);
            unsent.run();
        } else if (waiting.isEmpty()) {
            release(context);
        } else {
            passOnLater(context);
        }
        super.channelWritabilityChanged(context);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
    }

    /**
     * Marks a request as undecodable if a proxy may interpret it differently: it has several hosts, or a transfer encoding that Netty does
     * not know and ignores (RFC 9112, sections 3.2 and 6.1). The same holds for a version of HTTP other than 1.x, which Vert.x would serve on
     * a JVM and refuse with 501 natively. Vert.x refuses such a request and closes its connection.
     */
    private static void examine(HttpRequest request) {
        List<String> encodings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
        boolean ambiguous = request.headers().getAll(HttpHeaderNames.HOST).size() > 1
                || (!encodings.isEmpty() && !CHUNKED.equals(encodings));
        boolean refused = ambiguous || !isVersion1(request.protocolVersion());
        if (refused) {
            request.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("ambiguous head")));
        }
        if (!request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
            request.setProtocolVersion(HttpVersion.HTTP_1_1);
        }
        if (refused || asksToClose(request.headers())) {
            request.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
    }

    private static boolean isVersion1(HttpVersion version) {
        return version.protocolName().equals("HTTP") && version.majorVersion() == 1;
    }

    private static boolean asksToClose(HttpHeaders headers) {
        return headers.getAll(HttpHeaderNames.CONNECTION).stream()
                .flatMap(list -> Arrays.stream(list.split(",")))
                .anyMatch(option -> HttpHeaderValues.CLOSE.contentEqualsIgnoreCase(option.strip()));
    }

    private boolean isFree(ChannelHandlerContext context) {
        return !busy && !closes && context.channel().isWritable();
    }

    private void holdBack(ChannelHandlerContext context) {
        if (context.channel().config().isAutoRead()) {
            holdsBack = true;
            context.channel().config().setAutoRead(false);
        }
    }

    private void release(ChannelHandlerContext context) {
        if (holdsBack) {
            holdsBack = false;
            context.channel().config().setAutoRead(true);
        }
    }

    private void pass(ChannelHandlerContext context, Object part) {
        if (part instanceof HttpRequest) {
            busy = true;
            guard.processing();
        }
        context.fireChannelRead(part);
    }

    private void begin(HttpHeaders response) {
        guard.responding();
        if (isLast()) {
            response.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        closes = response.contains(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true);
    }

    private ChannelPromise end(ChannelHandlerContext context, ChannelPromise promise) {
        busy = false;
        guard.keptAlive();
        passOnLater(context);
        return inputEnded && isLast() ? promise.unvoid().addListener(ChannelFutureListener.CLOSE) : promise;
    }

    /** Not at once, since Vert.x has not finished the current request while it writes the end of the response. */
    private void passOnLater(ChannelHandlerContext context) {
        if (!waiting.isEmpty()) {
            context.executor().execute(() -> passOn(context));
        }
    }

    private void passOn(ChannelHandlerContext context) {
        if (waiting.isEmpty() || !isFree(context)) {
            return;
        }
        // Before the request is passed on, since Vert.x may pause the reading of a body.
        release(context);
        do {
            pass(context, waiting.remove());
        } while (!waiting.isEmpty() && !(waiting.element() instanceof HttpRequest));
        if (!waiting.isEmpty()) {
            holdBack(context);
        }
        // Makes Vert.x flush what it has written meanwhile.
        context.fireChannelReadComplete();
    }
}
