package dev.animalstore.redis;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Makes one system call of what is written to Redis at about the same time: the commands of one request, and those of requests that were read
 * together. Each command would be a call of its own, which costs more than the command.
 *
 * <p>An extension of Netty's, found by the service loader, since the client of Redis offers no access to its connections.
 */
@RegisterForReflection
public final class WriteConsolidation extends ChannelInitializerExtension {
    /** Writes are sent together once the event loop has done what it had to do, or when there are so many of them. */
    private static final int MAXIMUM_WRITES = 64;

    @Override
    public void postInitializeClientChannel(Channel connection) {
        connection.pipeline().addFirst(new FlushConsolidationHandler(MAXIMUM_WRITES, true));
    }
}
