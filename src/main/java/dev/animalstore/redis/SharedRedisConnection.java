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
 * One connection to Redis that all requests share. Commands are pipelined: thousands may be under way, and answers come back in order. The
 * client's own pool would borrow a connection for each command and refuse once a few dozen wait for one. Sending, reading and the deadline
 * are the business of one event loop.
 *
 * <p>A connection that ends or cannot be made is forgotten; the next command makes a new one.
 */
@Singleton
final class SharedRedisConnection {
    private final Redis redis;
    private final Context loop;

    /** Not guarded by a lock, since the client's connections, which have locks of their own, call back while they hold them. */
    private final AtomicReference<Future<RedisConnection>> line = new AtomicReference<>();

    private CommandTimeouts timeouts;

    /** What is done with each new connection before the first command on it. */
    private Runnable connected = () -> {};

    SharedRedisConnection(Redis redis, Vertx vertx, RedisConfig config) {
        this.redis = redis;
        loop = vertx.getOrCreateContext();
        loop.runOnContext(ignored -> timeouts = new CommandTimeouts(vertx, config.timeout()));
    }

    /** Has something done after each connecting, before the first answer that comes by it. To be called before anything is sent. */
    void onConnect(Runnable action) {
        connected = action;
    }

    /** Sends a command as below, whose late response is of no interest. */
    Future<Response> send(Supplier<Request> command) {
        return send(command, ignored -> {});
    }

    /**
     * Sends a command, which is made right before. The response fails if Redis says that the command failed, if it does not arrive in time, and
     * if there is no connection.
     *
     * @param late given the response if it comes after the returned future has failed because it did not come in time
     */
    Future<Response> send(Supplier<Request> command, Consumer<Response> late) {
        Promise<Response> answer = Promise.promise();
        loop.runOnContext(now -> {
            timeouts.add(answer);
            Request made = command.get();
            Future<RedisConnection> known = line.get();
            Future<RedisConnection> current = known == null ? connect() : known;
            current.compose(connection -> connection.send(made)).onComplete(result -> {
                if (result.succeeded()) {
                    if (!answer.tryComplete(result.result())) {
                        late.accept(result.result());
                    }
                } else {
                    forgetBroken(current, result.cause());
                    answer.tryFail(result.cause());
                }
            });
        });
        return answer.future();
    }

    private Future<RedisConnection> connect() {
        Promise<RedisConnection> attempt = Promise.promise();
        Future<RedisConnection> begun = line.compareAndExchange(null, attempt.future());
        if (begun != null) {
            return begun;
        }
        redis.connect()
                .onSuccess(connection -> {
                    connection
                            .endHandler(end -> forget(attempt.future()))
                            .exceptionHandler(failure -> forget(attempt.future()));
                    connected.run();
                })
                .onFailure(failure -> forget(attempt.future()))
                .onComplete(attempt);
        return attempt.future();
    }

    /** What is not Redis's own word is the connection's, or that of one of those to the nodes of a cluster. */
    private void forgetBroken(Future<RedisConnection> current, Throwable failure) {
        if (!(failure instanceof ErrorType)) {
            forget(current);
        }
    }

    private void forget(Future<RedisConnection> ended) {
        if (line.compareAndSet(ended, null)) {
            ended.onSuccess(RedisConnection::close);
        }
    }
}
