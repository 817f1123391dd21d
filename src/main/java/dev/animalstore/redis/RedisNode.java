package dev.animalstore.redis;

import dev.animalstore.outage.CircuitBreaker;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.PooledRedisConnection;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One server of Redis: one connection that all requests share, and a circuit breaker. Commands are pipelined: thousands may be in flight, and
 * responses arrive in order. The client's own pool would borrow a connection for each command and reject commands once a few dozen wait for
 * one. One event loop sends, reads and checks the timeouts.
 *
 * <p>A connection that ends, cannot be opened or is silent for two seconds, or three intervals of probes if that is longer, is discarded with its client. The next command opens a new
 * one.
 */
final class RedisNode {
    /** How many commands may wait for responses, so that a server that hangs costs at most a few megabytes. */
    private static final int MAXIMUM_IN_FLIGHT = 10_000;

    /** A connection on which nothing arrives for so long is closed; probes are responded to more often. */
    private static final Duration SILENCE = Duration.ofSeconds(2);

    private final Vertx vertx;
    private final Context loop;
    private final CommandTimeouts timeouts;
    private final RedisOptions options;
    private final Runnable available;
    private final boolean untraced;
    private final CircuitBreaker breaker;

    private Link link;
    private volatile boolean inDoubt;

    /** {@code available} runs at each new connection, before the first command on it, and at each probe that succeeds after one that failed. */
    RedisNode(
            String name,
            RedisOptions options,
            RedisConfig config,
            Vertx vertx,
            Context loop,
            CommandTimeouts timeouts,
            boolean untraced,
            Runnable available) {
        this.vertx = vertx;
        this.loop = loop;
        this.timeouts = timeouts;
        this.available = available;
        this.untraced = untraced;
        this.options = new RedisOptions(options).setMaxWaitingHandlers(MAXIMUM_IN_FLIGHT);
        long silentMillis = Math.max(SILENCE.toMillis(), 3 * config.probeEvery().toMillis());
        this.options
                .getNetClientOptions()
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setReadIdleTimeout((int) silentMillis);
        breaker = new CircuitBreaker(name, "this replica enforces its share of every limit locally", config.failures());
    }

    /**
     * Sends a command, which is built right before, once there is a connection. The future fails if Redis reports an error, if the response
     * does not arrive in time, or if there is no connection. A late response is ignored.
     */
    Future<Response> send(Supplier<Request> command) {
        Promise<Response> response = Promise.promise();
        loop.runOnContext(ignored -> {
            timeouts.add(response);
            Link current = link == null ? open() : link;
            current.connection()
                    .compose(connection -> connection.send(command.get()))
                    .onComplete(sent -> {
                        if (sent.succeeded()) {
                            response.tryComplete(sent.result());
                        } else {
                            timeouts.fail(response, sent.cause());
                        }
                    });
        });
        return response.future();
    }

    /** Knows whether the server fails. It opens by outcomes that are recorded in it, and closes by probes. */
    CircuitBreaker breaker() {
        return breaker;
    }

    boolean isInDoubt() {
        return inDoubt;
    }

    /**
     * Checks the server by a write, since one that is read-only or out of memory responds to everything else.
     *
     * @param hash where to write
     */
    void probe(String hash) {
        Request write = Request.cmd(Command.HSET).arg(hash).arg("at").arg(System.currentTimeMillis());
        send(() -> write).onSuccess(ignored -> recover()).onFailure(failure -> {
            breaker.fail(failure);
            inDoubt = true;
            // After a failover the address may lead to another server, while the connection still leads to the former
            // primary.
            if (String.valueOf(failure.getMessage()).startsWith("READONLY")) {
                close();
            }
        });
    }

    private void recover() {
        if (inDoubt) {
            inDoubt = false;
            available.run();
        }
        breaker.close();
    }

    void close() {
        if (link != null) {
            discard(link);
        }
    }

    private Link open() {
        if (options.getType() == RedisClientType.SENTINEL) {
            // Each Sentinel is tried first in turn, since one may hang.
            Collections.rotate(options.getEndpoints(), 1);
        }
        Redis client = Redis.createClient(vertx, options);
        Link opened = new Link(client, client.connect().map(this::direct));
        link = opened;
        opened.connection()
                .onSuccess(connection -> {
                    connection.endHandler(ignored -> discard(opened)).exceptionHandler(ignored -> discard(opened));
                    available.run();
                })
                .onFailure(ignored -> discard(opened));
        return opened;
    }

    /** Without the wrapper that describes each command for traces, which takes 600 bytes. */
    private RedisConnection direct(RedisConnection connection) {
        return untraced && connection instanceof PooledRedisConnection wrapper ? wrapper.actual() : connection;
    }

    private void discard(Link ended) {
        if (ended.equals(link)) {
            link = null;
            ended.client().close();
        }
    }

    /** A connection, or the attempt to open it, with a client of its own. */
    private record Link(Redis client, Future<RedisConnection> connection) {}
}
