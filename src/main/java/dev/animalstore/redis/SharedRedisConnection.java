package dev.animalstore.redis;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One connection to Redis that all requests share. Commands are pipelined: thousands may be in flight, and responses arrive in order. The
 * client's own pool would borrow a connection for each command and reject commands once a few dozen wait for one. One event loop sends,
 * reads and checks the timeouts.
 *
 * <p>A connection that ends or cannot be opened is dropped; the next command opens a new one.
 */
@Singleton
final class SharedRedisConnection {
    private final Redis redis;
    private final Context loop;

    /** Not guarded by a lock, since the client's connections hold their own locks while they call back. */
    private final AtomicReference<Future<RedisConnection>> shared = new AtomicReference<>();

    private CommandTimeouts timeouts;

    /** Runs for each new connection before the first command on it. */
    private Runnable connected = () -> {};

    SharedRedisConnection(Redis redis, Vertx vertx, RedisConfig config) {
        this.redis = redis;
        loop = vertx.getOrCreateContext();
        loop.runOnContext(ignored -> timeouts = new CommandTimeouts(vertx, config.timeout()));
    }

    /** Sets the action that runs after each connect, before the first response on that connection. To be called before anything is sent. */
    void onConnect(Runnable action) {
        connected = action;
    }

    /** Sends a command and ignores a late response. */
    Future<Response> send(Supplier<Request> command) {
        return send(command, ignored -> {});
    }

    /**
     * Sends a command, which is built right before. The future fails if Redis reports an error, if the response does not arrive in time, or
     * if there is no connection.
     *
     * @param late receives the response if it arrives after the timeout
     */
    Future<Response> send(Supplier<Request> command, Consumer<Response> late) {
        Promise<Response> response = Promise.promise();
        loop.runOnContext(ignored -> {
            timeouts.add(response);
            Request request = command.get();
            Future<RedisConnection> known = shared.get();
            Future<RedisConnection> current = known == null ? connect() : known;
            current.compose(connection -> connection.send(request)).onComplete(result -> {
                if (result.succeeded()) {
                    if (!response.tryComplete(result.result())) {
                        late.accept(result.result());
                    }
                } else {
                    forgetBroken(current, result.cause());
                    response.tryFail(result.cause());
                }
            });
        });
        return response.future();
    }

    private Future<RedisConnection> connect() {
        Promise<RedisConnection> attempt = Promise.promise();
        Future<RedisConnection> existing = shared.compareAndExchange(null, attempt.future());
        if (existing != null) {
            return existing;
        }
        redis.connect()
                .onSuccess(connection -> {
                    connection
                            .endHandler(ignored -> forget(attempt.future()))
                            .exceptionHandler(ignored -> forget(attempt.future()));
                    connected.run();
                })
                .onFailure(ignored -> forget(attempt.future()))
                .onComplete(attempt);
        return attempt.future();
    }

    /** A failure that is not an error reply of Redis comes from the connection, or from a connection to a node of a cluster. */
    private void forgetBroken(Future<RedisConnection> current, Throwable failure) {
        if (!(failure instanceof ErrorType)) {
            forget(current);
        }
    }

    private void forget(Future<RedisConnection> ended) {
        if (shared.compareAndSet(ended, null)) {
            ended.onSuccess(RedisConnection::close);
        }
    }
}
