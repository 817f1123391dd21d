package dev.animalstore.http;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.MaxMessagesRecvByteBufAllocator;
import io.netty.channel.ServerChannel;
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
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Limits the connections of each port, and closes the port shortly before the delay of a shutdown ends: Quarkus then waits until no request
 * is in flight, and would cut off those that come later. A Netty extension, which {@code Main} enables.
 */
@Singleton
@RegisterForReflection
public final class ClientConnections extends ChannelInitializerExtension {
    /** In this time a busy machine receives the first request of the last connection. */
    private static final Duration BEFORE_THE_WAIT = Duration.ofMillis(500);

    private static volatile boolean draining;

    private final int maximum = ConfigProvider.getConfig().getValue("animalstore.http.max-connections", Integer.class);

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
        /** By default as many as the heap of the manifests holds (SECURITY.md). */
        @WithDefault("1024")
        @Min(1)
        int maxConnections();
    }

    private final class Port extends ChannelInboundHandlerAdapter {
        private final Set<ClientConnection> open = ConcurrentHashMap.newKeySet();

        @Override
        public void channelRead(ChannelHandlerContext context, Object accepted) {
            ClientConnection connection = new ClientConnection((Channel) accepted);
            open.add(connection);
            connection.channel().closeFuture().addListener(closed -> open.remove(connection));
            context.fireChannelRead(accepted);
            limit();
        }

        /** Closes when it has just accepted all that waited, since the kernel resets those that wait when a listener closes. */
        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            if (draining) {
                var unused = context.close();
            }
            context.fireChannelReadComplete();
        }

        private void limit() {
            if (open.size() > maximum) {
                open.stream()
                        .filter(ClientConnection::isWaiting)
                        .min(Comparator.comparingLong(ClientConnection::waitingSince))
                        .filter(open::remove)
                        .ifPresent(first -> first.channel().eventLoop().execute(() -> close(first)));
            }
        }

        /** Closes a connection, or another one if the request of this one has just arrived. */
        private void close(ClientConnection first) {
            if (first.isWaiting()) {
                first.close();
            } else if (first.channel().isOpen()) {
                open.add(first);
                limit();
            }
        }
    }
}
