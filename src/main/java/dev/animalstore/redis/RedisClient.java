package dev.animalstore.redis;

import dev.animalstore.outage.CircuitBreaker;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Sends commands to Redis, each with a timeout, and knows whether Redis is available. After some failures in a row nothing should be sent;
 * a probe detects when Redis is available again.
 */
@Startup
@Singleton
public final class RedisClient {
    /** Used by the probe only. */
    private static final String PROBE = "animalstore:probe";

    private final SharedRedisConnection connection;
    private final Vertx vertx;
    private final RedisConfig config;
    private final CircuitBreaker breaker;
    private final RedisReturns returns;
    private final AtomicLong doubts = new AtomicLong();
    private final long probes;

    RedisClient(SharedRedisConnection connection, Vertx vertx, RedisConfig config, MeterRegistry metrics) {
        this.connection = connection;
        this.vertx = vertx;
        this.config = config;
        breaker = new CircuitBreaker(
                "Redis", "this replica enforces its share of every limit locally", config.failures());
        returns = new RedisReturns(vertx);
        connection.onConnect(() -> {
            doubts.incrementAndGet();
            returns.recordConnection();
        });
        probes = vertx.setPeriodic(0, config.probeEvery().toMillis(), ignored -> probe());
        Gauge.builder("animalstore.redis.up", breaker, state -> state.isOpen() ? 0 : 1)
                .description("1 while quotas are shared in Redis, 0 while this replica enforces its share locally")
                .register(metrics);
    }

    /** The Redis client closes next, and a probe would then fail unexpectedly. */
    void stopProbing(@Observes ShutdownEvent shutdown) {
        vertx.cancelTimer(probes);
    }

    /** Sends a command. The returned future fails if Redis reports an error, does not respond in time, or cannot be reached. */
    public Future<Response> send(Request command) {
        return send(() -> command);
    }

    /** Sends a command that is built right before it is sent, on another thread, so that requests until then can share it. */
    public Future<Response> send(Supplier<Request> command) {
        return connection.send(command).onFailure(ignored -> doubts.incrementAndGet());
    }

    /**
     * Sends a command.
     *
     * @param late receives the response if it arrives after the timeout
     */
    public Future<Response> send(Request command, Consumer<Response> late) {
        return connection.send(() -> command, late).onFailure(ignored -> doubts.incrementAndGet());
    }

    /**
     * Records the outcome of a command in the circuit breaker and returns the same future. For the write of each request only: a read
     * proves nothing, since a Redis that is out of memory or read-only responds to it, and retries of one request are not separate
     * failures.
     */
    public <T> Future<T> recordOutcome(Future<T> response) {
        return response.onSuccess(ignored -> breaker.succeed()).onFailure(breaker::fail);
    }

    /** Whether Redis is known to fail, so that nothing should be sent. */
    public boolean isFailing() {
        return breaker.isOpen();
    }

    /** The timeout of each command. */
    public Duration timeout() {
        return config.timeout();
    }

    /**
     * How long Redis must fail until every replica, each with its own probe, has noticed. From then on everything that Redis was told
     * before is in doubt on all of them. One replica that alone cannot reach Redis gives the others no reason to doubt.
     */
    public Duration noticedWithin() {
        return config.probeEvery().multipliedBy(2).plus(config.timeout());
    }

    /**
     * How often Redis may have lost or missed data: at each new connection and each failure. While the number is unchanged, Redis holds
     * everything that this replica has sent.
     */
    public long doubts() {
        return doubts.get();
    }

    /**
     * Registers an action for whenever Redis is available again: it may have lost data, or missed some, so copies from before must be
     * checked. The action runs before the first response of Redis, or within a second if Redis reconnects more often than that. It must not
     * block.
     */
    public void onReturn(Runnable action) {
        returns.add(action);
    }

    /** How often Redis has become available again. The number changes after all actions have run. */
    public long returns() {
        return returns.count();
    }

    /** A write, since a Redis that is read-only or out of memory responds to everything else. */
    private void probe() {
        Request write = Request.cmd(Command.HSET).arg(PROBE).arg("at").arg(System.currentTimeMillis());
        recordOutcome(send(write)).onSuccess(ignored -> {
            if (breaker.isOpen()) {
                returns.record();
            }
            breaker.close();
        });
    }
}
