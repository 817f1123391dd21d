package dev.animalstore.process;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.net.URI;

/**
 * Relays the connections of one replica to Redis. It can be blocked while others reach Redis: connections stay open, and nothing passes.
 */
public final class Relay implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final NetClient client = vertx.createNetClient();
    private final NetServer server;
    private final URI target;
    private volatile boolean blocked;

    public Relay(String redis) {
        target = URI.create(redis);
        server = vertx.createNetServer(
                        new NetServerOptions().setHost("127.0.0.1").setPort(0))
                .connectHandler(this::connect)
                .listen()
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    public String address() {
        return "redis://127.0.0.1:" + server.actualPort();
    }

    /** Drops everything that is sent from now on. */
    public void block() {
        blocked = true;
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private void connect(NetSocket from) {
        from.pause();
        client.connect(target.getPort(), target.getHost())
                .onSuccess(to -> {
                    forward(from, to);
                    forward(to, from);
                    from.resume();
                })
                .onFailure(refused -> from.close());
    }

    private void forward(NetSocket from, NetSocket to) {
        from.handler(data -> {
            if (!blocked) {
                to.write(data);
            }
        });
        from.closeHandler(closed -> to.close());
    }
}
