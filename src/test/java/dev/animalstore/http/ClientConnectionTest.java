package dev.animalstore.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Independent;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The requests that a connection passes on, and when it waits for its client. */
@Independent
class ClientConnectionTest {
    private static final String HEAD = " HTTP/1.1\r\nHost: localhost\r\n";

    @AutoClose("finishAndReleaseAll")
    private final EmbeddedChannel channel = new EmbeddedChannel();

    private final ClientConnection connection = new ClientConnection(channel);

    ClientConnectionTest() {
        channel.pipeline().addLast(new HttpRequestDecoder(), new HttpResponseEncoder());
    }

    @Test
    void requests_sentTogether_arePassedOnOneAfterTheOther() {
        send("GET /1" + HEAD + "\r\nGET /2" + HEAD + "\r\nGET /3" + HEAD + "\r\n");

        assertEquals(List.of("/1"), passedOn());
        assertFalse(channel.config().isAutoRead(), "nothing more is read meanwhile");
        respond(HttpResponseStatus.OK, "");
        assertEquals(List.of("/2"), passedOn());
        respond(HttpResponseStatus.OK, "");
        assertEquals(List.of("/3"), passedOn());
        assertTrue(channel.config().isAutoRead());
    }

    @Test
    void request_behindAResponseThatClosesTheConnection_isNotPassedOn() {
        send("GET /1" + HEAD + "\r\nGET /2" + HEAD + "\r\n");
        respond(HttpResponseStatus.BAD_REQUEST, "close");
        send("GET /3" + HEAD + "\r\n");

        assertEquals(List.of("/1"), passedOn());
    }

    @Test
    void request_whileTheResponseBeforeIsNotRead_isPassedOnLater() {
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1, 2));
        send("GET /1" + HEAD + "\r\nGET /2" + HEAD + "\r\n");
        var unread = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER);
        var written = channel.write(unread);
        channel.runPendingTasks();
        assertEquals(List.of("/1"), passedOn());
        assertTrue(connection.isWaiting());

        channel.flush();
        channel.runPendingTasks();
        assertTrue(written.isSuccess());
        assertEquals(List.of("/2"), passedOn());
    }

    /** The body may be read on, so that the connection serves the next request. */
    @Test
    void body_thatArrivesBehindTheResponse_isPassedOn() {
        send("POST /1" + HEAD + "Content-Length: 2\r\n\r\na");
        respond(HttpResponseStatus.UNAUTHORIZED, "");
        send("b");
        assertTrue(connection.isWaiting());
        send("GET /2" + HEAD + "\r\n");

        assertEquals(List.of("/1", "/2"), passedOn());
    }

    @Test
    void connection_waitsForItsClient_butNotForAResponse() {
        long opened = connection.waitingSince();
        send("POST /1" + HEAD + "Content-Length: 1\r\n\r\n");
        assertTrue(connection.isWaiting());
        respond(HttpResponseStatus.CONTINUE, "");
        assertEquals(opened, connection.waitingSince());
        send("a");
        assertFalse(connection.isWaiting());
        respond(HttpResponseStatus.CREATED, "");
        assertTrue(connection.isWaiting());
        assertTrue(connection.waitingSince() > opened);
    }

    /** They would otherwise all be on the stack. */
    @Test
    void requests_thatAreRespondedToAtOnce_doNotRunWithinOneAnother() {
        StackWalker stack = StackWalker.getInstance();
        List<Long> depths = new ArrayList<>();
        channel.pipeline().addLast(new SimpleChannelInboundHandler<HttpRequest>() {
            @Override
            protected void channelRead0(ChannelHandlerContext context, HttpRequest request) {
                depths.add(stack.walk(Stream::count));
                respond(HttpResponseStatus.NOT_FOUND, "");
            }
        });
        send(("GET /" + HEAD + "\r\n").repeat(1000));

        assertEquals(1000, depths.size());
        assertTrue(Collections.max(depths) < 2 * depths.get(0), depths::toString);
    }

    private void send(String bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.US_ASCII));
    }

    private void respond(HttpResponseStatus status, String connectionHeader) {
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER);
        response.headers().set("Content-Length", 0);
        if (!connectionHeader.isEmpty()) {
            response.headers().set("Connection", connectionHeader);
        }
        channel.writeOutbound(response);
        channel.runPendingTasks();
        while (channel.readOutbound() instanceof ByteBuf sent) {
            sent.release();
        }
    }

    /** The targets of the requests that were passed on since the last call. */
    private List<String> passedOn() {
        List<String> targets = new ArrayList<>();
        for (Object part = channel.readInbound(); part != null; part = channel.readInbound()) {
            if (part instanceof HttpRequest head) {
                targets.add(head.uri());
            }
            ReferenceCountUtil.release(part);
        }
        return targets;
    }
}
