package dev.animalstore.redis;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.outage.CircuitBreaker;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.redis.client.RedisOptionsCustomizer;
import io.quarkus.runtime.ShutdownEvent;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Sends commands to Redis, each with a timeout, and knows whether Redis is available. After some failures in a row commands fail at once,
 * until a probe succeeds. Commands name one key each, which begins with {@link #prefix}.
 */
@Singleton
public final class RedisClient {
    /** In a cluster these many keys are probed, so that each of up to 16 masters with equal shares of the slots has one. */
    private static final int PROBED_IN_CLUSTER = 64;

    private static final Future<Response> UNAVAILABLE = Future.failedFuture("Redis is unavailable");

    private final Vertx vertx;
    private final Ticker ticker;
    private final RedisConfig config;
    private final String prefix;
    private final List<String> probeKeys;
    private final SharedConnection connection;
    private final CircuitBreaker breaker;
    private final List<Probe> probes = new CopyOnWriteArrayList<>();
    private final List<Runnable> connectListeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> returnListeners = new CopyOnWriteArrayList<>();
    private volatile Probe availability;
    private volatile boolean probeFailed;

    /** @param unused injected, since otherwise Quarkus does not read the settings */
    RedisClient(
            Settings settings,
            Redis unused,
            Vertx vertx,
            Ticker ticker,
            RedisConfig config,
            @ConfigProperty(name = "quarkus.otel.sdk.disabled") boolean untraced,
            MeterRegistry metrics) {
        this.vertx = vertx;
        this.ticker = ticker;
        this.config = config;
        prefix = "animalstore:" + config.namespace() + ":";
        boolean clustered = settings.options.getType() == RedisClientType.CLUSTER;
        probeKeys = IntStream.range(0, clustered ? PROBED_IN_CLUSTER : 1)
                .mapToObj(number -> prefix + "probe:{" + number + "}")
                .toList();
        connection = new SharedConnection(
                settings.options, config, vertx, untraced, () -> connectListeners.forEach(Runnable::run));
        breaker = new CircuitBreaker(
                "Redis", "this replica enforces its share of every limit locally", config.failures());
        Gauge.builder("animalstore.redis.up", this, client -> client.isFailing() ? 0 : 1)
                .description("1 while quotas are shared in Redis, 0 while this replica enforces its share locally")
                .register(metrics);
    }

    /**
     * Probes from now on whether Redis is available. Called once, by the user whose commands decide that. All masters of a cluster must respond,
     * since nobody else knows which keys one has.
     *
     * @param command runs the command that matters, on a key that it may write
     */
    public Probe probeAvailability(Function<String, Future<?>> command) {
        availability = probe(
                () -> Future.all(probeKeys.stream().map(command).toList()), (failure, sentNanos) -> probed(failure));
        return availability;
    }

    /** Probes from now on whether Redis does another kind of work. */
    public Probe probe(Supplier<? extends Future<?>> command, Probe.Listener listener) {
        Probe probe = new Probe(vertx, ticker, config, command, listener);
        probes.add(probe);
        return probe;
    }

    /** The connection to Redis closes next, and a probe would then fail unexpectedly. */
    void stopProbing(@Observes ShutdownEvent shutdown) {
        probes.forEach(Probe::stop);
    }

    /**
     * For how long an announcement is repeated at least while it fails, four intervals of probes. Whoever relies on announcements of others does so for
     * less time after it has sent a probe that has succeeded.
     */
    public Duration outageTime() {
        return outageTime(config);
    }

    static Duration outageTime(RedisConfig config) {
        return config.probeEvery().multipliedBy(4);
    }

    /** Runs at each new connection, before the first command on it: Redis may have lost or missed data before. */
    public void onConnect(Runnable listener) {
        connectListeners.add(listener);
    }

    /** Runs when Redis is available after a probe has failed. */
    public void onReturn(Runnable listener) {
        returnListeners.add(listener);
    }

    @PreDestroy
    void close() {
        connection.close();
    }

    /** The beginning of the name of every key that this service uses in Redis. */
    public String prefix() {
        return prefix;
    }

    /**
     * Sends a command. The returned future fails if Redis reports an error, does not respond in time, or cannot be reached; at once while
     * Redis is known to fail.
     */
    public Future<Response> send(Request command) {
        return send(() -> command);
    }

    /** Sends a command that is built right before it is sent, on another thread, so that requests until then can share it. */
    public Future<Response> send(Supplier<Request> command) {
        return isFailing() ? UNAVAILABLE : connection.send(command);
    }

    /** As {@link #send}, also while Redis is known to fail: for probes, and for what they show to be worth a try. */
    public Future<Response> sendAnyway(Request command) {
        return connection.send(() -> command);
    }

    /**
     * Records the outcome of a command in the circuit breaker. For the write of each request only: a read proves nothing, since a Redis that is
     * out of memory or read-only responds to it, and retries of one request are not separate failures.
     *
     * @param failure {@code null} if the command succeeded
     */
    public void recordOutcome(Throwable failure) {
        if (failure == null) {
            breaker.succeed();
        } else if (!isFailing()) {
            breaker.fail(failure);
            if (isFailing() && availability != null) {
                // It may have been a pause of a few milliseconds.
                availability.run();
            }
        }
    }

    /** Whether Redis is known to fail. For those who report it: {@link #send} asks by itself. */
    public boolean isFailing() {
        return breaker.isOpen();
    }

    private void probed(Throwable failure) {
        if (failure != null) {
            probeFailed = true;
            breaker.fail(failure);
            connection.probeFailed(failure);
            return;
        }
        connection.heard();
        breaker.close();
        if (probeFailed) {
            probeFailed = false;
            returnListeners.forEach(Runnable::run);
        }
    }

    /**
     * The settings under {@code quarkus.redis}, for clients that can be discarded, which the one that Quarkus creates cannot. A service may have others,
     * by their names.
     */
    @Singleton
    static final class Settings implements RedisOptionsCustomizer {
        private volatile RedisOptions options;

        @Override
        public void customize(String client, RedisOptions configured) {
            if (io.quarkus.redis.runtime.client.config.RedisConfig.isDefaultClient(client)) {
                configured.getEndpoints().replaceAll(Settings::withLiteralPlus);
                options = configured;
            }
        }

        /** A plus sign in an address is itself (RFC 3986), but the client reads it as a space. */
        private static String withLiteralPlus(String address) {
            int end = address.lastIndexOf('@') + 1;
            return address.substring(0, end).replace("+", "%2B") + address.substring(end);
        }
    }
}
