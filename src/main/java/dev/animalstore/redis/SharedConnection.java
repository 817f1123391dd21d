package dev.animalstore.redis;

import io.quarkus.runtime.util.ExceptionUtil;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.PooledRedisConnection;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;

/**
 * The connection that all commands share: to a server, to the master that Sentinel names, or to the nodes of a cluster. Commands are
 * pipelined: thousands may be in flight, and responses arrive in order. The client's own pool would borrow a connection for each command
 * and reject commands once a few dozen wait for one. One event loop sends, reads and checks the timeouts.
 *
 * <p>A connection is discarded with its client if it ends, cannot be opened, or brings probes no response for two seconds, or for three
 * intervals of probes if that is longer. The next command opens a new one, which begins with another Sentinel or node, since one may hang.
 */
final class SharedConnection {
    /** How many commands may wait for a connection or a response, so that a Redis that hangs costs at most a few megabytes. */
    private static final int MAXIMUM_IN_FLIGHT = 10_000;

    private static final Duration SILENCE = Duration.ofSeconds(2);

    /** A client of a cluster learns the masters again when one moves. It holds on to memory for so long after it was discarded. */
    private static final Duration TOPOLOGY_KNOWN_FOR = Duration.ofMinutes(1);

    private static final Future<Response> EXPIRED = Future.failedFuture("expired before it was sent");

    private final Vertx vertx;
    private final Context loop;
    private final CommandTimeouts timeouts;
    private final RedisOptions options;
    private final boolean clustered;
    private final boolean untraced;
    private final Runnable connected;
    private final long silenceNanos;
    private final IllegalStateException full =
            new IllegalStateException("more than " + MAXIMUM_IN_FLIGHT + " commands wait");

    /** The present client, {@code null} if the next command opens one. For use on the event loop only, as what follows. */
    private ConnectedClient client;

    private long heardNanos;

    /** @param connected runs at each new connection, before the first command on it */
    SharedConnection(RedisOptions options, RedisConfig config, Vertx vertx, boolean untraced, Runnable connected) {
        this.vertx = vertx;
        loop = vertx.getOrCreateContext();
        timeouts = new CommandTimeouts(vertx, loop, config.timeout());
        this.untraced = untraced;
        this.connected = connected;
        this.options = new RedisOptions(options)
                .setMaxWaitingHandlers(MAXIMUM_IN_FLIGHT)
                .setTopologyCacheTTL(TOPOLOGY_KNOWN_FOR.toMillis());
        clustered = options.getType() == RedisClientType.CLUSTER;
        silenceNanos =
                Math.max(SILENCE.toNanos(), config.probeEvery().multipliedBy(3).toNanos());
    }

    /**
     * Sends a command, which is built right before, once there is a connection, unless its time is over by then. The future fails if Redis
     * reports an error, if the response does not arrive in time, or if there is no connection. A late response is ignored.
     */
    Future<Response> send(Supplier<Request> command) {
        Promise<Response> response = Promise.promise();
        loop.runOnContext(ignored -> send(command, response));
        return response.future();
    }

    private void send(Supplier<Request> command, Promise<Response> response) {
        ConnectedClient current = client == null ? open() : client;
        if (current.inFlight == MAXIMUM_IN_FLIGHT) {
            response.fail(full);
            return;
        }
        current.inFlight++;
        timeouts.add(response);
        current.connection
                .compose(connection -> response.future().isComplete() ? EXPIRED : connection.send(command.get()))
                .onComplete(sent -> {
                    current.inFlight--;
                    if (sent.succeeded()) {
                        response.tryComplete(sent.result());
                    } else {
                        response.tryFail(sent.cause());
                    }
                });
    }

    /** A probe got a response. */
    void heard() {
        heardNanos = System.nanoTime();
    }

    /**
     * Discards the connection if the failure of a probe shows that it is lost, has been silent for too long, or leads to a former master, whose
     * address may lead to the present one by now.
     */
    void probeFailed(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof Response && !message.equals("CONNECTION_CLOSED")) {
            heard();
            if (message.startsWith("READONLY")) {
                discard(client);
            }
        } else {
            boolean silent = failure == full || failure instanceof TimeoutException;
            if (!silent || System.nanoTime() - heardNanos > silenceNanos) {
                discard(client);
            }
        }
    }

    /** Discards the connection for good. For use on any thread. */
    void close() {
        loop.runOnContext(ignored -> {
            timeouts.stop();
            discard(client);
        });
    }

    private ConnectedClient open() {
        if (options.getType() != RedisClientType.STANDALONE) {
            Collections.rotate(options.getEndpoints(), 1);
        }
        heard();
        Redis redis = Redis.createClient(vertx, options);
        ConnectedClient opened =
                new ConnectedClient(redis, redis.connect().map(this::direct).recover(SharedConnection::withReason));
        client = opened;
        opened.connection
                .onSuccess(connection -> {
                    connection.exceptionHandler(ignored -> ended(opened)).endHandler(ignored -> ended(opened));
                    connected.run();
                })
                .onFailure(ignored -> discard(opened));
        return opened;
    }

    /** A node of a cluster may be a standby, which nobody misses; a probe finds out whether it was a master. */
    private void ended(ConnectedClient ended) {
        if (!clustered) {
            discard(ended);
        }
    }

    private void discard(ConnectedClient ended) {
        if (ended != null && ended.equals(client)) {
            client = null;
            ended.redis.close();
        }
    }

    /** The message of a failed handshake does not say what is wrong, such as the name of the host; that of its cause does. */
    private static <T> Future<T> withReason(Throwable failure) {
        return Future.failedFuture(failure instanceof SSLException ? ExceptionUtil.getRootCause(failure) : failure);
    }

    /** Removes the wrapper that describes each command for traces. A cluster's connection keeps those of its nodes. */
    private RedisConnection direct(RedisConnection connection) {
        return untraced && connection instanceof PooledRedisConnection wrapper ? wrapper.actual() : connection;
    }

    /** A client, its connection or the attempt to open it, and the number of commands that wait for either. */
    private static final class ConnectedClient {
        private final Redis redis;
        private final Future<RedisConnection> connection;
        private int inFlight;

        ConnectedClient(Redis redis, Future<RedisConnection> connection) {
            this.redis = redis;
            this.connection = connection;
        }
    }
}
