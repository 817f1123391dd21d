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
import java.util.Collections;
import java.util.function.Supplier;

/**
 * One server of Redis: one connection that all requests share, and a circuit breaker. Commands are pipelined: thousands may be in flight, and
 * responses arrive in order. The client's own pool would borrow a connection for each command and reject commands once a few dozen wait for
 * one. One event loop sends, reads and checks the timeouts.
 *
 * <p>A connection that ends, cannot be opened or is silent for about two seconds is discarded with its client, which would otherwise keep a
 * silent one in its pool. The next command opens a new one.
 */
final class RedisNode {
    /** How many commands may wait for responses, so that a server that hangs costs at most a few megabytes. */
    private static final int MAXIMUM_IN_FLIGHT = 10_000;

    private static final long SILENCE_MILLIS = 2000;

    private final Vertx vertx;
    private final Context loop;
    private final CommandTimeouts timeouts;
    private final RedisOptions options;
    private final Runnable returned;
    private final CircuitBreaker breaker;
    private final long maximumSilentProbes;

    private Link link;
    private int silentProbes;
    private volatile boolean inDoubt;

    /**
     * @param name for the log
     * @param options its address, or those of Sentinels
     * @param returned runs for each new connection, before the first command on it, and for each probe that succeeds after one that failed
     */
    RedisNode(
            String name,
            RedisOptions options,
            RedisConfig config,
            Vertx vertx,
            Context loop,
            CommandTimeouts timeouts,
            Runnable returned) {
        this.vertx = vertx;
        this.loop = loop;
        this.timeouts = timeouts;
        this.options = new RedisOptions(options).setMaxWaitingHandlers(MAXIMUM_IN_FLIGHT);
        this.returned = returned;
        maximumSilentProbes = Math.max(2, SILENCE_MILLIS / config.probeEvery().toMillis());
        breaker = new CircuitBreaker(name, "this replica enforces its share of every limit locally", config.failures());
    }

    /**
     * Sends a command, which is built right before, once there is a connection. The future fails if Redis reports an error, if the response
     * does not arrive in time, or if there is no connection. A late response is ignored.
     */
    Future<Response> send(Supplier<Request> command) {
        Promise<Response> response = Promise.promise();
        loop.runOnContext(ignored -> {
            Link current = link == null ? open() : link;
            if (current.inFlight == MAXIMUM_IN_FLIGHT) {
                response.fail("too many commands wait for Redis");
                return;
            }
            timeouts.add(response);
            current.inFlight++;
            current.connection
                    .compose(connection -> connection.send(command.get()))
                    .onComplete(result -> {
                        current.inFlight--;
                        silentProbes = 0;
                        if (result.succeeded()) {
                            response.tryComplete(result.result());
                        } else {
                            response.tryFail(result.cause());
                        }
                    });
        });
        return response.future();
    }

    /** Records the outcome of a command in the circuit breaker, {@code null} if it succeeded. */
    void recordOutcome(Throwable failure) {
        if (failure == null) {
            breaker.succeed();
        } else {
            breaker.fail(failure);
        }
    }

    /** Whether the server is known to fail, so that nothing should be sent. */
    boolean isFailing() {
        return breaker.isOpen();
    }

    /** Whether the last probe failed. */
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
            boolean demoted = String.valueOf(failure.getMessage()).startsWith("READONLY");
            if (++silentProbes >= maximumSilentProbes || demoted) {
                close();
            }
        });
    }

    private void recover() {
        if (inDoubt) {
            inDoubt = false;
            returned.run();
        }
        breaker.close();
    }

    /** Discards the connection. On the event loop. */
    void close() {
        if (link != null) {
            discard(link);
        }
    }

    private Link open() {
        silentProbes = 0;
        if (options.getType() == RedisClientType.SENTINEL) {
            // Each Sentinel is tried first in turn, since one may hang.
            Collections.rotate(options.getEndpoints(), 1);
        }
        Redis client = Redis.createClient(vertx, options);
        Link opened = new Link(client, client.connect());
        link = opened;
        opened.connection
                .onSuccess(connection -> {
                    connection.endHandler(ignored -> discard(opened)).exceptionHandler(ignored -> discard(opened));
                    returned.run();
                })
                .onFailure(ignored -> discard(opened));
        return opened;
    }

    private void discard(Link ended) {
        if (link == ended) {
            link = null;
            ended.client.close();
        }
    }

    /** A connection, or the attempt to open it, with a client of its own. */
    private static final class Link {
        private final Redis client;
        private final Future<RedisConnection> connection;
        private int inFlight;

        Link(Redis client, Future<RedisConnection> connection) {
            this.client = client;
            this.connection = connection;
        }
    }
}
