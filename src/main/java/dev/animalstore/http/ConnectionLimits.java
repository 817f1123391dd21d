package dev.animalstore.http;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.ServerChannel;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.quarkus.arc.Unremovable;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * Limits what the connections of clients use: their number, the time of a head, the requests that wait on a connection, and the response
 * bytes that clients have not read on all connections together.
 *
 * <p>A Netty extension, found by the service loader once {@code Main} has enabled it: Vert.x and Quarkus have no such limits.
 */
@RegisterForReflection
public final class ConnectionLimits extends ChannelInitializerExtension {
    /** One read is decoded at once, and other connections wait meanwhile: at most 227 requests of 18 bytes. */
    private static final int READ_BYTES = 4 * 1024;

    private final int idleSeconds = (int) ConfigProvider.getConfig()
            .getValue("quarkus.http.idle-timeout", Duration.class)
            .toSeconds();

    private final int maximumConnections = ConfigProvider.getConfig()
            .unwrap(SmallRyeConfig.class)
            .getConfigMapping(Config.class)
            .maxConnections();

    /** The rest of a container's memory, after the heap and the JVM itself. */
    private final long maximumUnread = Runtime.getRuntime().maxMemory() / 10;

    /** The connections whose clients read more slowly than responses are written, for the longest time first. */
    private final Set<ClientConnection> slow = new LinkedHashSet<>();

    @Override
    public void postInitializeServerListenerChannel(ServerChannel listener) {
        listener.pipeline().addLast(new Acceptor());
    }

    /** Closes the slowest connections while too many bytes are unread; the present one last, whose client has had no time yet to read. */
    private synchronized void limitUnread(ClientConnection connection) {
        slow.add(connection);
        slow.removeIf(one -> one.channel.isWritable() || !one.channel.isOpen());
        while (slow.stream().mapToLong(one -> one.channel.bytesBeforeWritable()).sum() > maximumUnread) {
            ClientConnection slowest = slow.iterator().next();
            slow.remove(slowest);
            slowest.closeAtOnce();
        }
    }

    @Unremovable
    @ConfigMapping(prefix = "animalstore.http")
    interface Config {
        /**
         * How many connections a port keeps. The one that has waited longest for a complete request gives way to a further one. By default as
         * many as the heap of the manifests holds if each has the longest head and a body of 64 KiB: an estimated 300 KB, and natively 400 KB,
         * whose references are larger.
         */
        @WithDefault("1024")
        @Min(1)
        int maxConnections();
    }

    /** Accepts the connections of a port. */
    private final class Acceptor extends ChannelInboundHandlerAdapter {
        private final Set<ClientConnection> open = ConcurrentHashMap.newKeySet();

        @Override
        public void channelRead(ChannelHandlerContext context, Object accepted) {
            Channel channel = (Channel) accepted;
            ClientConnection connection =
                    new ClientConnection(channel, idleSeconds, ConnectionLimits.this::limitUnread);
            channel.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(READ_BYTES).maxMessagesPerRead(1));
            channel.pipeline().addFirst(firstByte(connection));
            channel.closeFuture().addListener(closed -> open.remove(connection));
            open.add(connection);
            context.fireChannelRead(accepted);
            if (open.size() > maximumConnections) {
                ClientConnection first =
                        Collections.min(open, Comparator.comparingLong(ClientConnection::waitingSince));
                open.remove(first);
                first.closeAtOnce();
            }
        }
    }

    /** Adds a handler behind the encoder, which Vert.x adds before the first byte, or with TLS after the handshake. */
    private static ChannelHandler firstByte(ChannelHandler connection) {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object bytes) {
                ChannelHandlerContext encoder = context.pipeline().context(HttpResponseEncoder.class);
                if (encoder != null) {
                    context.pipeline()
                            .addAfter(encoder.name(), null, connection)
                            .remove(this);
                }
                context.fireChannelRead(bytes);
            }
        };
    }
}
