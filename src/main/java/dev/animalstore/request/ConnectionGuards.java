package dev.animalstore.request;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.quarkus.runtime.ImageMode;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/**
 * Adds a {@link ConnectionGuard} to every connection, and limits what all connections use together:
 * <ul>
 * <li>There are at most as many connections as the heap can hold unfinished heads. Beyond that one is closed for the new one: the first in
 * the order of {@link ConnectionPhase}, and in the same phase the one that has waited longest, so clients that send a request are served.
 * If all are processing requests, the new one is closed.
 * <li>If clients leave too many response bytes unread, the connections that have kept the most for the longest are closed.
 * </ul>
 *
 * <p>Quarkus and Vert.x count a connection only when the head of its first request is complete, which is too late. So this is a Netty
 * extension, found by the service loader once {@code Main} has enabled it. It is disabled in dev mode, since a live reload may exceed the
 * time of a request.
 */
@RegisterForReflection
public final class ConnectionGuards extends ChannelInitializerExtension {
    /**
     * An unfinished head takes up to 190 KB: 8 KiB of header lines of 4 bytes, each of which becomes about 95 bytes. A request in progress
     * takes up to 130 KB more for its body. The rest is for the service.
     */
    private static final int HEAP_BYTES_PER_CONNECTION = 320 * 1024;

    /** References take twice the space in a native executable, where such a head and body took 470 KB. */
    private static final int NATIVE_HEAP_BYTES_PER_CONNECTION = 512 * 1024;

    /**
     * At most the bytes of one read are decoded before its first request is done: 680 requests of 18 bytes, which take up to 170 KB. A head
     * that is refused because of its size should be read completely, since closing a connection with unread bytes resets it.
     */
    private static final int READ_BYTES = 12 * 1024;

    /**
     * From this many unsent bytes a connection waits for its client to read. They, and the rest of the response, are kept outside of the
     * heap.
     */
    private static final WriteBufferWaterMark UNSENT_BYTES = new WriteBufferWaterMark(8 * 1024, 16 * 1024);

    private final long maximumConnections = Runtime.getRuntime().maxMemory()
            / (ImageMode.current() == ImageMode.NATIVE_RUN
                    ? NATIVE_HEAP_BYTES_PER_CONNECTION
                    : HEAP_BYTES_PER_CONNECTION);

    /** The rest of a container's memory, after the heap and the JVM itself. */
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
        connection.closeFuture().addListener(ignored -> remove(guard));
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
     * Closes connections while the total of unsent bytes is too high, first those that have kept the most for the longest. A response that
     * was just written is large, but its client has had no time to read it.
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
