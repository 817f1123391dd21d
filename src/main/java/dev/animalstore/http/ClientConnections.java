package dev.animalstore.http;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MaxMessagesRecvByteBufAllocator;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.flow.FlowControlHandler;
import io.quarkus.arc.Unremovable;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Accepts the connections of clients, and limits on each port their number and the response bytes that clients have not read. Once the delay
 * of a shutdown is over, no more are accepted: meanwhile Quarkus closes each connection after its next response. It then waits until no
 * request is in flight for a moment, and would cut off those that have come since, of clients that do not follow readiness.
 *
 * <p>A Netty extension, found by the service loader once {@code Main} has enabled it: Vert.x and Quarkus have no such limits.
 */
@Singleton
@RegisterForReflection
public final class ClientConnections extends ChannelInitializerExtension {
    /** One read is decoded at once, and other connections wait meanwhile: at most 227 requests of 18 bytes. */
    private static final int READ_BYTES = 4 * 1024;

    /** As long as a busy machine needs for the first request of the last connection. */
    private static final Duration BEFORE_THE_WAIT = Duration.ofMillis(500);

    static volatile boolean draining;

    private final int maximum = ConfigProvider.getConfig().getValue("animalstore.http.max-connections", Integer.class);

    /** The rest of a container's memory, after the heap and the JVM itself. */
    private final long maximumUnread = Runtime.getRuntime().maxMemory() / 10;

    @Override
    public void postInitializeServerListenerChannel(ServerChannel listener) {
        listener.pipeline().addLast(new Port());
        // All that wait are accepted at once.
        MaxMessagesRecvByteBufAllocator accepted = listener.config().getRecvByteBufAllocator();
        accepted.maxMessagesPerRead(Integer.MAX_VALUE);
    }

    static void drain(
            @Observes ShutdownDelayInitiatedEvent shutdown,
            Vertx vertx,
            @ConfigProperty(name = "quarkus.shutdown.delay") Optional<Duration> delay) {
        long millis = delay.orElse(Duration.ZERO).minus(BEFORE_THE_WAIT).toMillis();
        vertx.setTimer(Math.max(1, millis), ignored -> draining = true);
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

    private final class Port extends ChannelInboundHandlerAdapter {
        private final Set<ClientConnection> open = ConcurrentHashMap.newKeySet();

        @Override
        public void channelRead(ChannelHandlerContext context, Object accepted) {
            DuplexChannel channel = (DuplexChannel) accepted;
            ClientConnection connection = new ClientConnection(channel, this::limitUnread);
            channel.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(READ_BYTES).maxMessagesPerRead(1));
            channel.pipeline().addFirst(firstByte(connection));
            channel.closeFuture().addListener(closed -> open.remove(connection));
            open.add(connection);
            context.fireChannelRead(accepted);
            limitNumber();
        }

        /** Closes when it has just accepted all that waited, since the kernel resets those that wait when a listener closes. */
        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            if (draining) {
                var unused = context.close();
            }
            context.fireChannelReadComplete();
        }

        private synchronized void limitNumber() {
            if (open.size() > maximum) {
                closeFirst(ClientConnection::isWaiting, this::limitNumber);
            }
        }

        private synchronized void limitUnread() {
            while (open.stream().mapToLong(ClientConnection::unreadBytes).sum() > maximumUnread) {
                closeFirst(one -> one.unreadBytes() > 0, this::limitUnread);
            }
        }

        /**
         * Closes the connection that has waited longest for a complete request, among some. If it is none of them any more, the limit applies
         * anew.
         */
        private void closeFirst(Predicate<ClientConnection> among, Runnable limit) {
            open.stream()
                    .filter(among)
                    .min(Comparator.comparingLong(ClientConnection::waitingSince))
                    .ifPresent(first -> {
                        open.remove(first);
                        first.closeIf(among, () -> {
                            open.add(first);
                            limit.run();
                        });
                    });
        }
    }

    /** Adds handlers behind the encoder, which Vert.x adds before the first byte, or with TLS after the handshake. */
    private static ChannelHandler firstByte(ChannelHandler connection) {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object bytes) {
                ChannelHandlerContext encoder = context.pipeline().context(HttpResponseEncoder.class);
                if (encoder != null) {
                    context.pipeline()
                            .addAfter(encoder.name(), null, connection)
                            .addAfter(encoder.name(), null, new FlowControlHandler())
                            .remove(this);
                }
                context.fireChannelRead(bytes);
            }
        };
    }
}
