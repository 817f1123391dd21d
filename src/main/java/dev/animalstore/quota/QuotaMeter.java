package dev.animalstore.quota;

import dev.animalstore.outage.CircuitBreaker;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Charges requests to the quotas of subjects: in Redis, shared by all replicas, or in this replica's memory while Redis fails. It is the
 * only class that knows that Redis can fail; everybody else sees a decision. A decision waits for Redis no longer than a deadline, and
 * not at all once some in a row have failed; then a probe finds out when Redis is back.
 */
@Startup
@Singleton
public final class QuotaMeter {
    private static final Script RAISE = Script.load("raise.lua");

    /** How long a raised version is known at least: as long as a replica may keep an older copy, which the start bounds. */
    private static final Duration RAISED_FOR = Duration.ofHours(1);

    /** How long a raise that failed waits before it is tried again. */
    private static final Duration RETRY = Duration.ofMillis(20);

    /** A subject that nobody is, since identifiers are positive. */
    private static final long PROBE = 0;

    /** Subjects that one replica meters by itself at the most, of those that are active while Redis is away. */
    private static final long MAXIMUM_LOCAL_SUBJECTS = 200_000;

    private static final Duration[] BUCKETS =
            Stream.of(1, 2, 5, 10, 20, 50, 100).map(Duration::ofMillis).toArray(Duration[]::new);

    private final RedisLine redis;
    private final Vertx vertx;
    private final long probes;
    private final QuotaScript script;
    private final LocalMeter local;
    private final CircuitBreaker breaker;
    private final Counter decidedAlone;
    private final Timer time;
    private final RedisReturns returns;

    QuotaMeter(RedisLine redis, Vertx vertx, Clock clock, QuotaConfig config, BanConfig bans, MeterRegistry metrics) {
        this.redis = redis;
        returns = new RedisReturns(vertx);
        redis.onConnect(returns::noteConnection);
        script = new QuotaScript(bans);
        local = new LocalMeter(clock, config.replicas(), Optional.of(bans), MAXIMUM_LOCAL_SUBJECTS);
        breaker = new CircuitBreaker(
                "Redis", "this replica meters by itself", config.outage().failures());
        this.vertx = vertx;
        probes = vertx.setPeriodic(0, config.outage().probeEvery().toMillis(), timer -> probe());
        Gauge.builder("animalstore.redis.up", breaker, state -> state.isOpen() ? 0 : 1)
                .description("1 while quotas are shared in Redis, 0 while this replica meters by itself")
                .register(metrics);
        decidedAlone = Counter.builder("animalstore.quota.local.decisions")
                .description("Decisions of this replica alone, because Redis failed or did not answer in time")
                .register(metrics);
        time = Timer.builder("animalstore.quota.decision")
                .description("How long a decision takes, the way to Redis and back included")
                .serviceLevelObjectives(BUCKETS)
                .register(metrics);
    }

    /** The client of Redis ends next, and a probe would then fail with a defect. */
    void probeNoMore(@Observes ShutdownEvent shutdown) {
        vertx.cancelTimer(probes);
    }

    /**
     * Charges one request to a subject, or refuses it. One round trip to Redis. Never blocks and never fails.
     *
     * @param subject the subject's identifier, positive
     * @param version the version of the caller's copy of the subject, from which the limits come
     */
    public Future<Reply> spend(long subject, Limits limits, long version) {
        long start = System.nanoTime();
        return decide(
                        () -> script.run(redis::send, subject, version, limits, 1),
                        () -> local.spend(Long.toString(subject), limits))
                .onComplete(decided -> time.record(System.nanoTime() - start, TimeUnit.NANOSECONDS));
    }

    /**
     * How the quota of a subject stands, and whether it is banned, without charging, and whatever version of it is known. Never blocks and
     * never fails.
     */
    public Future<Decision> peek(long subject, Limits limits) {
        return decide(
                        () -> script.run(redis::send, subject, Long.MAX_VALUE, limits, 0),
                        () -> local.peek(Long.toString(subject), limits))
                .map(Decision.class::cast);
    }

    /** The newest version of a subject, if a newer one is known. One round trip to Redis; none if it does not answer. Never blocks. */
    public Future<Optional<Reply.Stale>> findNewer(long subject, long version) {
        if (breaker.isOpen()) {
            return Future.succeededFuture(Optional.empty());
        }
        Request known = Request.cmd(Command.HGET).arg(QuotaScript.hash(subject)).arg("v");
        return ask(redis.send(known))
                .map(newest -> Optional.ofNullable(newest)
                        .map(number -> new Reply.Stale(number.toLong()))
                        .filter(stale -> stale.newest() > version))
                .otherwise(Optional.empty());
    }

    /**
     * Makes a new version of a subject known, so that no replica acts on an older copy from the next request on. Never blocks and never
     * fails.
     *
     * @param pardon whether this version also ends the subject's ban and forgets the refusals and bans that led to it; what it spent stays
     *     spent. A version does so once, however often it is raised
     * @param patience how long it is tried again after a failure, unless Redis is known to fail; zero for one try
     * @return the version that is known then, which is newer if that one was known before; empty if Redis does not answer
     */
    public Future<Optional<Long>> raise(long subject, long version, boolean pardon, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        if (pardon) {
            pardonAlone(subject, version);
        }
        return raiseInRedis(subject, version, pardon).map(Optional::of).recover(failure -> {
            if (breaker.isOpen() || System.nanoTime() + RETRY.toNanos() > end) {
                return Future.succeededFuture(Optional.empty());
            }
            return vertx.timer(RETRY.toMillis(), TimeUnit.MILLISECONDS)
                    .compose(now -> raise(subject, version, pardon, Duration.ofNanos(end - System.nanoTime())));
        });
    }

    /** Ends the ban by which this replica refuses a subject while it meters by itself. A version does so once, as with {@link #raise}. */
    public void pardonAlone(long subject, long version) {
        local.pardon(Long.toString(subject), version);
    }

    /**
     * Has something done whenever Redis is back after it could not be reached: it may have lost versions that were raised, and others may
     * not have been raised, so copies of subjects from before are to be checked. It is done before Redis decides anything, or
     * within a second if Redis comes back more often than that, and must not block.
     */
    public void onReturn(Runnable action) {
        returns.add(action);
    }

    /** How often Redis has come back. The number changes once all that is to be done then has been done. */
    public long returns() {
        return returns.count();
    }

    /** Whether this replica meters by itself at the moment. */
    public boolean isDegraded() {
        return breaker.isOpen();
    }

    private Future<Reply> decide(Supplier<Future<Reply>> shared, Supplier<Decision> alone) {
        if (breaker.isOpen()) {
            decidedAlone.increment();
            return Future.succeededFuture(alone.get());
        }
        return ask(shared.get()).otherwise(failure -> {
            decidedAlone.increment();
            return alone.get();
        });
    }

    /** The same answer, of which the breaker takes note. */
    private <T> Future<T> ask(Future<T> answer) {
        return answer.onSuccess(come -> breaker.succeed()).onFailure(breaker::fail);
    }

    /** A write, since a Redis that is read-only or out of memory answers everything else. */
    private void probe() {
        ask(raiseInRedis(PROBE, 0, false)).onSuccess(answer -> {
            if (breaker.isOpen()) {
                returns.note();
            }
            breaker.close();
        });
    }

    private Future<Long> raiseInRedis(long subject, long version, boolean pardon) {
        return RAISE.run(redis::send, QuotaScript.hash(subject), version, RAISED_FOR.toMillis(), pardon ? 1 : 0)
                .map(Response::toLong);
    }
}
