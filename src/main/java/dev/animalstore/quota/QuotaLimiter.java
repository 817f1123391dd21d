package dev.animalstore.quota;

import dev.animalstore.quota.QuotaScript.Late;
import dev.animalstore.redis.RedisClient;
import dev.animalstore.redis.Script;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Charges requests to the quotas of subjects: in Redis, shared by all replicas, or locally in memory while Redis is unavailable. The caller
 * gets a decision in either case.
 */
@Singleton
public final class QuotaLimiter {
    private static final Script RAISE = Script.load(QuotaLimiter.class, "raise.lua");

    /** How long Redis keeps a raised version: as long as a replica may keep an older copy, which {@code Bounds} limits. */
    private static final Duration RAISED_FOR = Duration.ofHours(1);

    /** The delay before a failed raise is retried. */
    private static final Duration RETRY = Duration.ofMillis(20);

    /**
     * How much longer than the caller waits Redis may still run the script. It covers the uncertainty about Redis's clock and a pause of
     * the replica. It is shorter than the time after which a silent connection is closed: until then a late response is seen, and
     * afterwards no earlier command runs.
     */
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    /** The maximum number of subjects that one replica limits locally while Redis is unavailable. */
    private static final long MAXIMUM_LOCAL_SUBJECTS = 200_000;

    /** An identifier that no subject has. */
    private static final long NO_SUBJECT = 0;

    private static final Duration[] BUCKETS =
            Stream.of(1, 2, 5, 10, 20, 50, 100).map(Duration::ofMillis).toArray(Duration[]::new);

    private final RedisClient redis;
    private final Vertx vertx;
    private final QuotaScript script;
    private final LocalLimiter local;
    private final Activity activity;
    private final RedisClock redisClock;
    private final long validMillis;
    private final Counter localDecisions;
    private final Timer time;

    QuotaLimiter(
            RedisClient redis,
            Vertx vertx,
            Clock clock,
            QuotaConfig config,
            BanConfig bans,
            Activity activity,
            MeterRegistry metrics) {
        this.redis = redis;
        this.vertx = vertx;
        this.activity = activity;
        redisClock = new RedisClock(clock);
        validMillis = redis.timeout().plus(TOLERANCE).toMillis();
        script = new QuotaScript(bans);
        local = new LocalLimiter(clock, config.replicas(), Optional.of(bans), MAXIMUM_LOCAL_SUBJECTS);
        localDecisions = Counter.builder("animalstore.quota.local.decisions")
                .description("Decisions made locally because Redis failed or did not respond in time")
                .register(metrics);
        time = Timer.builder("animalstore.quota.decision")
                .description("Duration of a decision, including the round trip to Redis")
                .serviceLevelObjectives(BUCKETS)
                .register(metrics);
    }

    /**
     * Charges one request to a subject, or refuses it. One round trip to Redis. Never blocks and never fails.
     *
     * @param subject the subject's identifier, positive
     * @param version the version of the caller's copy of the subject, from which the limits come
     */
    public Future<Reply> spend(long subject, Limits limits, long version) {
        long start = System.nanoTime();
        return decide(() -> spendInRedis(subject, limits, version), () -> spendLocally(subject, limits))
                .onComplete(ignored -> time.record(System.nanoTime() - start, TimeUnit.NANOSECONDS));
    }

    /** Removes a decision from the usage, because its request is decided anew or was refused for another reason. */
    public void discard(long subject, Decision decision) {
        activity.withdraw(subject, decision);
    }

    /** The current quota and ban of a subject, without charging and whatever its version. Never blocks and never fails. */
    public Future<QuotaState> peek(long subject, Limits limits) {
        return decide(
                () -> script.run(redis::send, subject, Long.MAX_VALUE, limits, 0, Long.MAX_VALUE)
                        .map(reply -> new QuotaState((Decision) reply, true)),
                () -> new QuotaState(local.peek(Long.toString(subject), limits), false));
    }

    /** Whether Redis responds now, so that all replicas share every limit. One round trip. Never blocks and never fails. */
    public Future<Boolean> isShared() {
        return peek(NO_SUBJECT, new Limits(1, 1)).map(QuotaState::shared);
    }

    /** The newest version of a subject, if Redis knows a newer one. One round trip to Redis; none while it is unavailable. Never blocks. */
    public Future<Optional<Reply.Stale>> findNewer(long subject, long version) {
        if (redis.isFailing()) {
            return Future.succeededFuture(Optional.empty());
        }
        Request known = Request.cmd(Command.HGET).arg(QuotaScript.hash(subject)).arg("v");
        return redis.send(known)
                .map(newest -> Optional.ofNullable(newest)
                        .map(number -> new Reply.Stale(number.toLong()))
                        .filter(stale -> stale.newest() > version))
                .otherwise(Optional.empty());
    }

    /**
     * Publishes a new version of a subject in Redis, so that from the next request on no replica uses an older copy. Never blocks and never
     * fails.
     *
     * @param liftsBan whether this version also ends the subject's ban and clears the refusals and bans before it; charges stay. A version
     *     does so once, however often it is raised
     * @param retryFor how long a failed attempt is retried, unless Redis is known to fail; zero for one attempt
     * @return the version that Redis knows then, which may be newer; empty if Redis does not respond
     */
    public Future<Optional<Long>> raiseVersion(long subject, long version, boolean liftsBan, Duration retryFor) {
        long end = System.nanoTime() + retryFor.toNanos();
        if (liftsBan) {
            liftBanLocally(subject, version);
        }
        return raiseVersionInRedis(subject, version, liftsBan).map(Optional::of).recover(failure -> {
            if (redis.isFailing() || System.nanoTime() + RETRY.toNanos() > end) {
                return Future.succeededFuture(Optional.empty());
            }
            return vertx.timer(RETRY.toMillis(), TimeUnit.MILLISECONDS)
                    .compose(ignored ->
                            raiseVersion(subject, version, liftsBan, Duration.ofNanos(end - System.nanoTime())));
        });
    }

    /** Ends the subject's ban in this replica's local limiter. A version does so once, as with {@link #raiseVersion}. */
    public void liftBanLocally(long subject, long version) {
        local.liftBan(Long.toString(subject), version);
    }

    /**
     * Registers an action for whenever Redis is available again: versions may be lost or not have been raised, so copies of subjects from
     * before must be checked. See {@link RedisClient#onReturn}.
     */
    public void onReturn(Runnable action) {
        redis.onReturn(action);
    }

    /** How often Redis has become available again, as {@link RedisClient#returns}. */
    public long returns() {
        return redis.returns();
    }

    /** Whether this replica currently enforces its limits locally. */
    public boolean isDegraded() {
        return redis.isFailing();
    }

    private <T> Future<T> decide(Supplier<Future<T>> shared, Supplier<? extends T> locally) {
        if (redis.isFailing()) {
            localDecisions.increment();
            return Future.succeededFuture(locally.get());
        }
        return redis.recordOutcome(shared.get()).otherwise(failure -> {
            localDecisions.increment();
            return locally.get();
        });
    }

    /** A jump of Redis's clock makes the script report the request as late, so it is sent once more. */
    private Future<Reply> spendInRedis(long subject, Limits limits, long version) {
        return trySpending(subject, limits, version).recover(failure -> {
            if (failure instanceof Late late) {
                redisClock.observe(late.nowMillis());
                return trySpending(subject, limits, version);
            }
            return Future.failedFuture(failure);
        });
    }

    /** A late response reports what Redis has charged for a request that was already decided locally, so one of the two is withdrawn. */
    private Future<Reply> trySpending(long subject, Limits limits, long version) {
        Consumer<Response> late = response ->
                QuotaScript.lateDecision(response, limits).ifPresent(counted -> activity.withdraw(subject, counted));
        long notAfter = redisClock.millis() + validMillis;
        return script.run(command -> redis.send(command, late), subject, version, limits, 1, notAfter)
                .onSuccess(reply -> {
                    if (reply instanceof Decision decision) {
                        redisClock.observe(decision.nowMillis());
                        activity.record(subject, decision);
                    }
                });
    }

    private Decision spendLocally(long subject, Limits limits) {
        Decision decision = local.spend(Long.toString(subject), limits);
        activity.recordLocal(subject, decision);
        return decision;
    }

    private Future<Long> raiseVersionInRedis(long subject, long version, boolean liftsBan) {
        return RAISE.run(redis::send, QuotaScript.hash(subject), version, RAISED_FOR.toMillis(), liftsBan ? 1 : 0)
                .map(Response::toLong);
    }
}
