package dev.animalstore.redis;

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
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
    private static final long RETRY_MILLIS = 20;

    /** In a cluster these many keys are probed, so that each of up to 16 masters with equal shares of the slots has one. */
    private static final int PROBED_IN_CLUSTER = 64;

    private static final Future<Response> UNAVAILABLE = Future.failedFuture("Redis is unavailable");
    private static final long NO_TIMER = -1;

    /** What tells whether Redis does its work: the command that matters, on keys of its own. */
    @FunctionalInterface
    public interface Probe {
        /** Runs the command, by a function that sends one also while Redis is known to fail, on a key that it may write. */
        Future<?> run(Function<Request, Future<Response>> send, String key);
    }

    private final Vertx vertx;
    private final RedisConfig config;
    private final String prefix;
    private final List<String> probeKeys;
    private final SharedConnection connection;
    private final CircuitBreaker breaker;
    private final AtomicLong epoch = new AtomicLong();
    private volatile Probe probe;
    private volatile long timer = NO_TIMER;

    /** Since when probes fail; {@code null} while they succeed. */
    private volatile Long doubtNanos;

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
        boolean clustered = settings.options.getType() == RedisClientType.CLUSTER;
        probeKeys = IntStream.range(0, clustered ? PROBED_IN_CLUSTER : 1)
                .mapToObj(number -> prefix + "probe:{" + number + "}")
                .toList();
        connection = new SharedConnection(settings.options, config, vertx, untraced, epoch::incrementAndGet);
        breaker = new CircuitBreaker(
                "Redis", "this replica enforces its share of every limit locally", config.failures());
        Gauge.builder("animalstore.redis.up", this, client -> client.isFailing() ? 0 : 1)
                .description("1 while quotas are shared in Redis, 0 while this replica enforces its share locally")
                .register(metrics);
    }

    /** Probes Redis from now on. Called once, by the user whose commands decide whether Redis is available. */
    public void probeBy(Probe command) {
        probe = command;
        timer = vertx.setPeriodic(0, config.probeEvery().toMillis(), ignored -> probe());
    }

    /** The connection to Redis closes next, and a probe would then fail unexpectedly. */
    void stopProbing(@Observes ShutdownEvent shutdown) {
        vertx.cancelTimer(timer);
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

    private Future<Response> sendAnyway(Request command) {
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
            if (isFailing()) {
                // It may have been a pause of a few milliseconds.
                probe();
            }
        }
    }

    /** Whether Redis is known to fail. For those who report it: {@link #send} asks by itself. */
    public boolean isFailing() {
        return breaker.isOpen();
    }

    /** Runs the probe on each of its keys: all masters of a cluster must respond, since nobody else knows which keys one has. */
    private void probe() {
        Probe command = probe;
        if (command == null) {
            return;
        }
        Future.all(probeKeys.stream()
                        .map(key -> command.run(this::sendAnyway, key))
                        .toList())
                .onSuccess(ignored -> recover())
                .onFailure(this::doubt);
    }

    private void recover() {
        connection.heard();
        if (doubtNanos != null) {
            doubtNanos = null;
            epoch.incrementAndGet();
        }
        breaker.close();
    }

    private void doubt(Throwable failure) {
        breaker.fail(failure);
        connection.probeFailed(failure);
        if (doubtNanos == null) {
            doubtNanos = System.nanoTime();
        }
    }

    /**
     * Runs commands, and again while they fail, until the probes of all replicas have noticed the failure, or only once if probes have failed
     * for that long already. Each replica begins a new epoch once its probe succeeds. If only this replica cannot reach Redis, the others
     * begin none.
     *
     * @param commands runs them by a function that sends a command also while Redis is known to fail, since it may be back for other replicas
     * @return failed if they failed to the end
     */
    public <T> Future<T> retry(Function<Function<Request, Future<Response>>, Future<T>> commands) {
        long begin = Objects.requireNonNullElseGet(doubtNanos, System::nanoTime);
        return retry(
                () -> commands.apply(this::sendAnyway),
                begin + retryTime().plus(config.timeout()).toNanos());
    }

    /** How long {@link #retry} repeats commands at most. It waits for a response for longer, by the timeout of a command. */
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

    /**
     * How often commands have failed, or an epoch has begun. While the number is unchanged, Redis holds everything that this replica has sent.
     *
     * <p>The epoch alone does not show that an announcement was missed. Example: Redis has refused writes for longer than a second, and accepts
     * them again. A probe of replica B begins a new epoch, and B keeps a page. Before the next probe of replica A, Redis refuses writes again,
     * but responds to reads. A adds a pet, and announces it only once, since its own probes have failed for long enough. B's next list reads
     * the same version in the same epoch. But the decision on that list is a write that is sent first, and its failure is counted here.
     */
    public long disturbances() {
        return connection.failures() + epoch.get();
    }

    /** The settings under {@code quarkus.redis}, for clients that can be discarded, which the one that Quarkus creates cannot. */
    @Singleton
    static final class Settings implements RedisOptionsCustomizer {
        private volatile RedisOptions options;

        @Override
        public void customize(String client, RedisOptions configured) {
            configured.getEndpoints().replaceAll(Settings::withLiteralPlus);
            options = configured;
        }

        /** A plus sign in an address is itself (RFC 3986), but the client reads it as a space. */
        private static String withLiteralPlus(String address) {
            int end = address.lastIndexOf('@') + 1;
            return address.substring(0, end).replace("+", "%2B") + address.substring(end);
        }
    }
}
