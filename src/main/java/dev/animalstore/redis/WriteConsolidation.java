package dev.animalstore.redis;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Combines writes to Redis at about the same time into one system call: the commands of one request, and those of requests that were read
 * together. A system call for each command costs more than the command: a list takes 28 µs of processor time without this class, and 20 with it.
 *
 * <p>A Netty extension, found by the service loader, because the Redis client gives no access to its connections.
 */
@RegisterForReflection
public final class WriteConsolidation extends ChannelInitializerExtension {
    /** Writes are flushed together when the event loop has finished its current work, or at this number. */
    private static final int MAXIMUM_WRITES = 64;

    @Override
    public void postInitializeClientChannel(Channel connection) {
        connection.pipeline().addFirst(new FlushConsolidationHandler(MAXIMUM_WRITES, true));
    }
}
