package dev.animalstore.quota;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One connection to Redis that all requests share. Commands are pipelined: thousands may be under way, and answers come back in order. The
 * client's own pool would borrow a connection for each command and refuse once a few dozen wait for one.
 *
 * <p>A connection that ends or cannot be made is forgotten; the next command makes a new one.
 */
@Singleton
final class RedisLine {
    private final Redis redis;

    /** Not guarded by a lock, since the client's connections, which have locks of their own, call back while they hold them. */
    private final AtomicReference<Future<RedisConnection>> line = new AtomicReference<>();

    RedisLine(Redis redis) {
        this.redis = redis;
    }

    Future<Response> send(Request command) {
        Future<RedisConnection> known = line.get();
        Future<RedisConnection> current = known == null ? connect() : known;
        return current.compose(connection -> connection.send(command)).onFailure(failure -> {
            if (!(failure instanceof ErrorType)) {
                // Not Redis's own word, so it is the connection that is broken, or one of those to the nodes of a
                // cluster.
                forget(current);
            }
        });
    }

    private Future<RedisConnection> connect() {
        Promise<RedisConnection> attempt = Promise.promise();
        Future<RedisConnection> begun = line.compareAndExchange(null, attempt.future());
        if (begun != null) {
            return begun;
        }
        redis.connect()
                .onSuccess(connection -> connection
                        .endHandler(end -> forget(attempt.future()))
                        .exceptionHandler(failure -> forget(attempt.future())))
                .onFailure(failure -> forget(attempt.future()))
                .onComplete(attempt);
        return attempt.future();
    }

    private void forget(Future<RedisConnection> ended) {
        if (line.compareAndSet(ended, null)) {
            ended.onSuccess(RedisConnection::close);
        }
    }
}
