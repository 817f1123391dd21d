package dev.animalstore.http;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.MaxMessagesRecvByteBufAllocator;
import io.netty.channel.ServerChannel;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Accepts no more connections once the delay of a shutdown is over. Meanwhile Quarkus closes each connection after its next response. It then
 * waits until no request is in flight for a moment, and would cut off those that have come since, of clients that do not follow readiness.
 */
@Singleton
@RegisterForReflection
public final class ConnectionDraining extends ChannelInitializerExtension {
    /** As long as a busy machine needs for the first request of the last connection. */
    private static final Duration BEFORE_THE_WAIT = Duration.ofMillis(500);

    static volatile boolean over;

    @Override
    public void postInitializeServerListenerChannel(ServerChannel listener) {
        listener.pipeline().addLast(new Listener());
        // All that wait are accepted at once.
        MaxMessagesRecvByteBufAllocator accepted = listener.config().getRecvByteBufAllocator();
        accepted.maxMessagesPerRead(Integer.MAX_VALUE);
    }

    static void end(
            @Observes ShutdownDelayInitiatedEvent shutdown,
            Vertx vertx,
            @ConfigProperty(name = "quarkus.shutdown.delay") Optional<Duration> delay) {
        long millis = delay.orElse(Duration.ZERO).minus(BEFORE_THE_WAIT).toMillis();
        vertx.setTimer(Math.max(1, millis), ignored -> over = true);
    }

    /** Closes when it has just accepted all that waited, since the kernel resets those that wait when a listener closes. */
    private static final class Listener extends ChannelInboundHandlerAdapter {
        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            if (over) {
                var unused = context.close();
            }
            context.fireChannelReadComplete();
        }
    }
}
