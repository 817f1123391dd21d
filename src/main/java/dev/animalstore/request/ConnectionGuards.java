package dev.animalstore.request;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/**
 * Puts a {@link ConnectionGuard} in front of every connection, and bounds what all of them take together:
 *
 * <ul>
 *   <li>There are no more connections than the heap holds unfinished heads. Beyond that one gives way to the new one, in the order of {@link
 *       ConnectionPhase} and of those the one that has waited longest, so clients that send a request are served. If all are processing
 *       requests, the new one is closed.
 *   <li>If clients leave too many bytes of responses unread, those that have kept the most for the longest are closed.
 * </ul>
 *
 * <p>Quarkus and Vert.x count a connection, and hand it out, when its first request has a complete head, which is too late for this. So it
 * is an extension of Netty's, found by the service loader once the program has switched them on. Development has none of it, since a live
 * reload may take longer than a request has.
 */
@RegisterForReflection
public final class ConnectionGuards extends ChannelInitializerExtension {
    /**
     * An unfinished head takes up to 190 KB: 8 KiB of header lines of 4 bytes, each of which becomes some 95 bytes. A request in progress takes up
     * to 130 KB more for its body. The rest is for the service.
     */
    private static final int HEAP_BYTES_PER_CONNECTION = 320 * 1024;

    /**
     * At most what one read brings is decoded before its first request is done: 680 requests of 18 bytes, which take up to 170 KB. A head that is
     * refused because of its size should be read whole, since the connection is reset if it is closed with bytes unread.
     */
    private static final int READ_BYTES = 12 * 1024;

    /** From so many unsent bytes on a connection waits for its client to read. It keeps them, and the rest of the response, outside of the heap. */
    private static final WriteBufferWaterMark UNSENT_BYTES = new WriteBufferWaterMark(8 * 1024, 16 * 1024);

    private final long maximumConnections = Runtime.getRuntime().maxMemory() / HEAP_BYTES_PER_CONNECTION;

    /** What is left of a container's memory beside the heap and the JVM itself. */
    private final long maximumUnsentBytes = Runtime.getRuntime().maxMemory() / 10;

    private final Set<ConnectionGuard> guards = new HashSet<>();

    @Override
    public void postInitializeServerChildChannel(Channel connection) {
        ConnectionGuard guard = new ConnectionGuard(connection, this::boundUnsent);
        connection.pipeline().addFirst(guard);
        connection.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        connection.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(READ_BYTES));
        connection.config().setWriteBufferWaterMark(UNSENT_BYTES);
        add(guard);
        connection.closeFuture().addListener(closed -> remove(guard));
    }

    private synchronized void add(ConnectionGuard guard) {
        if (guards.size() >= maximumConnections) {
            guards.stream()
                    .filter(ConnectionGuard::givesWay)
                    .min(Comparator.comparing(ConnectionGuard::phase)
                            .thenComparing(ConnectionGuard::nanos, Comparator.reverseOrder()))
                    .orElse(guard)
                    .close();
        }
        guards.add(guard);
    }

    /**
     * Closes connections while all together have too many unsent bytes: first those that have kept the most for the longest. A response that was
     * just written is large, but its client has not had the time to read it.
     */
    private synchronized void boundUnsent() {
        while (guards.stream().mapToLong(ConnectionGuard::unsentBytes).sum() > maximumUnsentBytes) {
            guards.stream()
                    .max(Comparator.comparingDouble(guard -> (double) guard.unsentBytes() * guard.nanos()))
                    .ifPresent(ConnectionGuard::close);
        }
    }

    private synchronized void remove(ConnectionGuard guard) {
        guards.remove(guard);
    }
}
