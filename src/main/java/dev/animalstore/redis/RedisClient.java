package dev.animalstore.redis;

import dev.animalstore.outage.CircuitBreaker;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.redis.client.RedisOptionsCustomizer;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Sends commands to Redis, each with a timeout, and knows whether Redis is available. After some failures in a row nothing should be sent;
 * a probe detects when Redis is available again. In a cluster this is so for each master. Commands name the key that they are about, which
 * begins with {@link #prefix}.
 */
@Startup
@Singleton
public final class RedisClient {
    private static final long RETRY_MILLIS = 20;

    private final Vertx vertx;
    private final RedisConfig config;
    private final String prefix;

    /** The only server, or {@code null} if there is a cluster. */
    private final RedisNode single;

    /** {@code null} if there is only one server. */
    private final RedisCluster cluster;

    private final AtomicLong epoch = new AtomicLong();
    private final CommandTimeouts timeouts;
    private final long probes;

    /** @param unused injected, since otherwise Quarkus does not read the settings */
    RedisClient(
            Settings settings,
            Redis unused,
            Vertx vertx,
            RedisConfig config,
            @ConfigProperty(name = "quarkus.otel.sdk.disabled") boolean untraced,
            MeterRegistry metrics) {
        this.vertx = vertx;
        this.config = config;
        prefix = "animalstore:" + config.namespace() + ":";
        Context loop = vertx.getOrCreateContext();
        timeouts = new CommandTimeouts(vertx, loop, config.timeout());
        BiFunction<String, RedisOptions, RedisNode> open = (name, options) ->
                new RedisNode(name, options, config, vertx, loop, timeouts, untraced, epoch::incrementAndGet);
        boolean clustered = settings.options.getType() == RedisClientType.CLUSTER;
        single = clustered ? null : open.apply("Redis", settings.options);
        cluster = clustered ? new RedisCluster(settings.options, loop, prefix + "probe:", open) : null;
        probes = vertx.setPeriodic(0, config.probeEvery().toMillis(), ignored -> {
            if (cluster == null) {
                single.probe(prefix + "probe:{0}");
            } else {
                cluster.probe();
            }
        });
        Gauge.builder("animalstore.redis.up", this, client -> client.isFailing() ? 0 : 1)
                .description("1 while quotas are shared in Redis, 0 while this replica enforces its share locally")
                .register(metrics);
    }

    /** The connection to Redis closes next, and a probe would then fail unexpectedly. */
    void stopProbing(@Observes ShutdownEvent shutdown) {
        vertx.cancelTimer(probes);
    }

    /** The beginning of the name of every key that this service uses in Redis. */
    public String prefix() {
        return prefix;
    }

    /** Sends a command. The returned future fails if Redis reports an error, does not respond in time, or cannot be reached. */
    public Future<Response> send(String key, Request command) {
        return send(key, () -> command);
    }

    /** Sends a command that is built right before it is sent, on another thread, so that requests until then can share it. */
    public Future<Response> send(String key, Supplier<Request> command) {
        Future<Response> response = node(key).send(command);
        return cluster == null ? response : response.recover(failure -> cluster.redirect(failure, command));
    }

    /**
     * Records the outcome of a command in the circuit breaker. For the write of each request only: a read proves nothing, since a Redis that is
     * out of memory or read-only responds to it, and retries of one request are not separate failures.
     *
     * @param failure {@code null} if the command succeeded
     */
    public void recordOutcome(String key, Throwable failure) {
        CircuitBreaker breaker = node(key).breaker();
        if (failure == null) {
            breaker.succeed();
        } else {
            breaker.fail(failure);
        }
    }

    /** Whether the server of a key is known to fail, so that nothing should be sent. */
    public boolean isFailing(String key) {
        return node(key).breaker().isOpen();
    }

    /** Whether any server is known to fail. */
    public boolean isFailing() {
        Set<RedisNode> all = cluster == null ? Set.of(single) : cluster.masters();
        return all.stream().anyMatch(node -> node.breaker().isOpen());
    }

    private RedisNode node(String key) {
        return cluster == null ? single : cluster.of(key);
    }

    /**
     * Runs commands again while they fail, until every replica, each with its own probe, must have noticed that Redis fails: its next success
     * then begins a new epoch on all of them. One replica that alone cannot reach Redis begins none on the others.
     *
     * @return failed if they failed to the end
     */
    public <T> Future<T> retry(Supplier<Future<T>> commands) {
        return retry(
                commands, System.nanoTime() + retryTime().plus(config.timeout()).toNanos());
    }

    /** How long {@link #retry} repeats commands at least. It waits for a response for longer, by the timeout of a command. */
    public Duration retryTime() {
        return config.probeEvery().multipliedBy(2);
    }

    private <T> Future<T> retry(Supplier<Future<T>> commands, long end) {
        return commands.get()
                .recover(failure -> System.nanoTime() - end > 0
                        ? Future.failedFuture(failure)
                        : vertx.timer(RETRY_MILLIS, TimeUnit.MILLISECONDS).compose(ignored -> retry(commands, end)));
    }

    /**
     * How often Redis has become available: at each new connection, before the first command on it, and at each probe that succeeds after
     * one that failed. Redis may have lost or missed data before, so what was read in an earlier epoch must be read again.
     */
    public long epoch() {
        return epoch.get();
    }

    /** How often commands have failed, or an epoch has begun. While the number is unchanged, Redis holds everything that this replica has sent. */
    public long failures() {
        return timeouts.failures() + epoch.get();
    }

    /** The settings under {@code quarkus.redis}, for clients that can be discarded, which the one that Quarkus creates cannot. */
    @Singleton
    static final class Settings implements RedisOptionsCustomizer {
        private volatile RedisOptions options;

        @Override
        public void customize(String client, RedisOptions configured) {
            options = configured;
        }
    }
}
