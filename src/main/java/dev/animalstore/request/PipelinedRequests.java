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
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;

/**
 * Gives Vert.x the requests of a connection one by one: the next one when the response to the one before has ended and the client has read
 * most of it. Vert.x alone would process all that it has received, and keep every response that the client does not read. While requests wait
 * or responses are not read, nothing more is received.
 *
 * <p>Any member of the list {@code Connection} may ask for the connection to be closed (RFC 9110, section 7.6.1), while Vert.x knows only a
 * header without others. Behind a response that closes the connection, for whatever reason, no request is processed.
 */
final class PipelinedRequests extends ChannelDuplexHandler {
    private static final List<String> CHUNKED = List.of("chunked");

    private final ConnectionGuard guard;
    private final Runnable unsent;

    /** The parts of requests that were received and not given to Vert.x. */
    private final Queue<Object> waiting = new ArrayDeque<>();

    /** Whether Vert.x has a request whose response has not ended. */
    private boolean busy;

    /** Whether the request that was received last was received to its end. */
    private boolean whole;

    /** Whether the reading was stopped here, rather than by Vert.x. */
    private boolean holdsBack;

    private boolean inputEnded;
    private boolean closes;

    PipelinedRequests(ConnectionGuard guard, Runnable unsent) {
        this.guard = guard;
        this.unsent = unsent;
    }

    /** Takes note that the client sends no more, and tells whether it waits for a response. */
    boolean endInput() {
        inputEnded = true;
        return (busy && (whole || !waiting.isEmpty())) || !isLast();
    }

    /** Whether no response can follow the present one, parts of whose request may still wait. */
    private boolean isLast() {
        return closes
                || (inputEnded
                        && waiting.stream()
                                .dropWhile(part -> !(part instanceof HttpRequest))
                                .noneMatch(LastHttpContent.class::isInstance));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object part) {
        whole = part instanceof LastHttpContent;
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
     * Vert.x refuses a request that could not be decoded, and closes its connection. So it does with one of which a proxy may make another: it
     * names several hosts, or an encoding of its body that Netty does not know and takes for none (RFC 9112, sections 3.2 and 6.1).
     */
    private static void examine(HttpRequest request) {
        List<String> encodings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
        boolean ambiguous = request.headers().getAll(HttpHeaderNames.HOST).size() > 1
                || (!encodings.isEmpty() && !CHUNKED.equals(encodings));
        if (ambiguous) {
            request.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("an ambiguous head")));
        }
        if (ambiguous || asksToClose(request.headers())) {
            request.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
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

    /** Not at once, since Vert.x has not finished with the present request while it writes the end of the response. */
    private void passOnLater(ChannelHandlerContext context) {
        if (!waiting.isEmpty()) {
            context.executor().execute(() -> passOn(context));
        }
    }

    private void passOn(ChannelHandlerContext context) {
        if (waiting.isEmpty() || !isFree(context)) {
            return;
        }
        // Before Vert.x, which may stop the reading of a body, has the request.
        release(context);
        do {
            pass(context, waiting.remove());
        } while (!waiting.isEmpty() && !(waiting.element() instanceof HttpRequest));
        if (!waiting.isEmpty()) {
            holdBack(context);
        }
        // Vert.x sends what it has written meanwhile.
        context.fireChannelReadComplete();
    }
}
