package dev.animalstore.quota;

import io.vertx.core.Future;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import jakarta.inject.Singleton;

/**
 * One connection to Redis that all requests share. Commands are pipelined: thousands may be under way, and answers come back in order. The
 * client's own pool would borrow a connection for each command and refuse once a few dozen wait for one.
 *
 * <p>A connection that ends or cannot be made is forgotten; the next command makes a new one.
 */
@Singleton
final class RedisLine {
    private final Redis redis;
    private volatile Future<RedisConnection> line;

    RedisLine(Redis redis) {
        this.redis = redis;
    }

    Future<Response> send(Request command) {
        Future<RedisConnection> known = line;
        Future<RedisConnection> current = known == null ? connect() : known;
        return current.compose(connection -> connection.send(command)).onFailure(failure -> {
            if (!(failure instanceof ErrorType)) {
                // Not Redis's own word, so it is the connection that is broken, or one of those to the nodes of a
                // cluster.
                forget(current);
            }
        });
    }

    private synchronized Future<RedisConnection> connect() {
        if (line == null) {
            Future<RedisConnection> attempt = redis.connect();
            line = attempt;
            attempt.onSuccess(connection ->
                            connection.endHandler(end -> forget(attempt)).exceptionHandler(failure -> forget(attempt)))
                    .onFailure(failure -> forget(attempt));
            return attempt;
        }
        return line;
    }

    private synchronized void forget(Future<RedisConnection> ended) {
        if (line == ended) {
            line = null;
            ended.onSuccess(RedisConnection::close);
        }
    }
}
