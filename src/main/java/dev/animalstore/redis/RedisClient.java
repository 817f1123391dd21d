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
 * Sends commands to Redis, none of which is waited for longer than a deadline, and knows whether Redis answers. Once some in a row have
 * failed, nothing should be sent any more; a probe finds out when Redis is back.
 */
@Startup
@Singleton
public final class RedisClient {
    /** Nothing but a probe uses it. */
    private static final String PROBE = "animalstore:probe";

    private final SharedRedisConnection line;
    private final Vertx vertx;
    private final RedisConfig config;
    private final CircuitBreaker breaker;
    private final RedisReturns returns;
    private final AtomicLong doubts = new AtomicLong();
    private final long probes;

    RedisClient(SharedRedisConnection line, Vertx vertx, RedisConfig config, MeterRegistry metrics) {
        this.line = line;
        this.vertx = vertx;
        this.config = config;
        breaker = new CircuitBreaker("Redis", "this replica meters by itself", config.failures());
        returns = new RedisReturns(vertx);
        line.onConnect(() -> {
            doubts.incrementAndGet();
            returns.recordConnection();
        });
        probes = vertx.setPeriodic(0, config.probeEvery().toMillis(), timer -> probe());
        Gauge.builder("animalstore.redis.up", breaker, state -> state.isOpen() ? 0 : 1)
                .description("1 while quotas are shared in Redis, 0 while this replica meters by itself")
                .register(metrics);
    }

    /** The client of Redis ends next, and a probe would then fail with a defect. */
    void probeNoMore(@Observes ShutdownEvent shutdown) {
        vertx.cancelTimer(probes);
    }

    /** Sends a command. The answer fails if Redis says so, does not give it in time, or cannot be reached. */
    public Future<Response> send(Request command) {
        return send(() -> command);
    }

    /** Sends a command that is made right before it is sent, on another thread, so that until then others can take part in it. */
    public Future<Response> send(Supplier<Request> command) {
        return line.send(command).onFailure(failure -> doubts.incrementAndGet());
    }

    /**
     * Sends a command as above.
     *
     * @param late given the response if it comes after the returned future has failed because it did not come in time
     */
    public Future<Response> send(Request command, Consumer<Response> late) {
        return line.send(() -> command, late).onFailure(failure -> doubts.incrementAndGet());
    }

    /**
     * The same answer, by which it is known whether Redis serves. For what each request writes: a read proves nothing, since a Redis that is
     * out of memory or read-only answers it, and what one request tries again and again is no failure of as many.
     */
    public <T> Future<T> recordOutcome(Future<T> answer) {
        return answer.onSuccess(come -> breaker.succeed()).onFailure(breaker::fail);
    }

    /** Whether Redis is known to fail, so that nothing should be sent. */
    public boolean isFailing() {
        return breaker.isOpen();
    }

    /** How long a response is waited for. */
    public Duration timeout() {
        return config.timeout();
    }

    /**
     * How long Redis must fail until every replica has noticed, since each probes it: whatever it was told before is in doubt with all of them
     * then. A replica that alone cannot reach Redis is no reason for the others to doubt.
     */
    public Duration noticedWithin() {
        return config.probeEvery().multipliedBy(2).plus(config.timeout());
    }

    /**
     * How often Redis may have forgotten or missed something: it was connected to, or failed. While the number stays the same it has told
     * this replica all that it was told before.
     */
    public long doubts() {
        return doubts.get();
    }

    /**
     * Has something done whenever Redis is back after it could not be reached: it may have lost what it was told, and not have been told
     * other things, so copies from before are to be checked. It is done before Redis answers anything, or within a second if Redis comes back
     * more often than that, and must not block.
     */
    public void onReturn(Runnable action) {
        returns.add(action);
    }

    /** How often Redis has come back. The number changes once all that is to be done then has been done. */
    public long returns() {
        return returns.count();
    }

    /** A write, since a Redis that is read-only or out of memory answers everything else. */
    private void probe() {
        Request write = Request.cmd(Command.HSET).arg(PROBE).arg("at").arg(System.currentTimeMillis());
        recordOutcome(send(write)).onSuccess(answer -> {
            if (breaker.isOpen()) {
                returns.record();
            }
            breaker.close();
        });
    }
}
