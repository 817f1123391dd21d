package dev.animalstore.request;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/**
 * Puts a {@link ConnectionGuard} in front of every connection, and keeps no more connections than the heap holds unfinished heads. Beyond
 * that the connection that has waited longest for a request gives way to the new one, so clients that send one are served.
 *
 * <p>Quarkus and Vert.x count a connection, and hand it out, when its first request has a complete head, which is too late for this. So it
 * is an extension of Netty's, found by the service loader once the program has switched them on. Development has none of it, since a live
 * reload may take longer than a request has.
 */
@RegisterForReflection
public final class ConnectionGuards extends ChannelInitializerExtension {
    /** An unfinished head takes up to 190 KB: 8 KiB of header lines of 4 bytes, each of which becomes some 95 bytes. The rest is for the service. */
    private static final int HEAP_BYTES_PER_CONNECTION = 320 * 1024;

    private final long maximumConnections = Runtime.getRuntime().maxMemory() / HEAP_BYTES_PER_CONNECTION;
    private final Set<ConnectionGuard> guards = new HashSet<>();

    @Override
    public void postInitializeServerChildChannel(Channel connection) {
        ConnectionGuard guard = new ConnectionGuard(connection);
        connection.pipeline().addFirst(guard);
        add(guard);
        connection.closeFuture().addListener(closed -> remove(guard));
    }

    private synchronized void add(ConnectionGuard guard) {
        guards.add(guard);
        if (guards.size() > maximumConnections) {
            guards.stream()
                    .filter(each -> each.waitingNanos() >= 0)
                    .max(Comparator.comparingLong(ConnectionGuard::waitingNanos))
                    .ifPresent(ConnectionGuard::close);
        }
    }

    private synchronized void remove(ConnectionGuard guard) {
        guards.remove(guard);
    }
}
