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
 * Charges requests to the quotas of subjects: in Redis, shared by all replicas, or in this replica's memory while Redis fails. The
 * caller gets a decision in either case.
 */
@Singleton
public final class QuotaLimiter {
    private static final Script RAISE = Script.load(QuotaLimiter.class, "raise.lua");

    /** How long a raised version is known at least: as long as a replica may keep an older copy, which the start bounds. */
    private static final Duration RAISED_FOR = Duration.ofHours(1);

    /** How long a raise that failed waits before it is tried again. */
    private static final Duration RETRY = Duration.ofMillis(20);

    /**
     * How much later than a caller waits Redis may still do what it was asked for. It covers what is not known exactly of Redis's clock, and
     * a replica that stands still. Less than the time after which a silent connection is closed: until then a late response is seen, and
     * afterwards nothing that was sent before is done.
     */
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    /** Subjects that one replica meters by itself at the most, of those that are active while Redis is away. */
    private static final long MAXIMUM_LOCAL_SUBJECTS = 200_000;

    /** The identifier of no subject. */
    private static final long NOBODY = 0;

    private static final Duration[] BUCKETS =
            Stream.of(1, 2, 5, 10, 20, 50, 100).map(Duration::ofMillis).toArray(Duration[]::new);

    private final RedisClient redis;
    private final Vertx vertx;
    private final QuotaScript script;
    private final LocalLimiter local;
    private final Activity activity;
    private final RedisClock clockOfRedis;
    private final long patienceMillis;
    private final Counter decidedAlone;
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
        clockOfRedis = new RedisClock(clock);
        patienceMillis = redis.timeout().plus(TOLERANCE).toMillis();
        script = new QuotaScript(bans);
        local = new LocalLimiter(clock, config.replicas(), Optional.of(bans), MAXIMUM_LOCAL_SUBJECTS);
        decidedAlone = Counter.builder("animalstore.quota.local.decisions")
                .description("Decisions of this replica alone, because Redis failed or did not answer in time")
                .register(metrics);
        time = Timer.builder("animalstore.quota.decision")
                .description("How long a decision takes, the way to Redis and back included")
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
                .onComplete(decided -> time.record(System.nanoTime() - start, TimeUnit.NANOSECONDS));
    }

    /** Takes a decision out of the usage: the request it was made of is decided anew, or was refused for another reason. */
    public void discard(long subject, Decision decision) {
        activity.withdraw(subject, decision);
    }

    /**
     * How the quota of a subject stands, and whether it is banned, without charging, and whatever version of it is known. Never blocks and
     * never fails.
     */
    public Future<QuotaState> peek(long subject, Limits limits) {
        return decide(
                () -> script.run(redis::send, subject, Long.MAX_VALUE, limits, 0, Long.MAX_VALUE)
                        .map(reply -> new QuotaState((Decision) reply, true)),
                () -> new QuotaState(local.peek(Long.toString(subject), limits), false));
    }

    /** Whether Redis answers at this moment, so that quotas are shared by all replicas. One round trip. Never blocks and never fails. */
    public Future<Boolean> isShared() {
        return peek(NOBODY, new Limits(1, 1)).map(QuotaState::shared);
    }

    /** The newest version of a subject, if a newer one is known. One round trip to Redis; none if it does not answer. Never blocks. */
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
     * Makes a new version of a subject known, so that no replica acts on an older copy from the next request on. Never blocks and never
     * fails.
     *
     * @param liftsBan whether this version also ends the subject's ban and forgets the refusals and bans that led to it; what it spent stays
     *     spent. A version does so once, however often it is raised
     * @param patience how long it is tried again after a failure, unless Redis is known to fail; zero for one try
     * @return the version that is known then, which is newer if that one was known before; empty if Redis does not answer
     */
    public Future<Optional<Long>> raiseVersion(long subject, long version, boolean liftsBan, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        if (liftsBan) {
            liftBanLocally(subject, version);
        }
        return raiseVersionInRedis(subject, version, liftsBan).map(Optional::of).recover(failure -> {
            if (redis.isFailing() || System.nanoTime() + RETRY.toNanos() > end) {
                return Future.succeededFuture(Optional.empty());
            }
            return vertx.timer(RETRY.toMillis(), TimeUnit.MILLISECONDS)
                    .compose(
                            now -> raiseVersion(subject, version, liftsBan, Duration.ofNanos(end - System.nanoTime())));
        });
    }

    /** Ends the ban by which this replica refuses a subject while it meters by itself. A version does so once, as with {@link #raiseVersion}. */
    public void liftBanLocally(long subject, long version) {
        local.liftBan(Long.toString(subject), version);
    }

    /**
     * Has something done whenever Redis is back: versions that were raised may be lost, and others may not have been raised, so copies of
     * subjects from before are to be checked. As {@link RedisClient#onReturn}.
     */
    public void onReturn(Runnable action) {
        redis.onReturn(action);
    }

    /** How often Redis has come back, as {@link RedisClient#returns}. */
    public long returns() {
        return redis.returns();
    }

    /** Whether this replica meters by itself at the moment. */
    public boolean isDegraded() {
        return redis.isFailing();
    }

    private <T> Future<T> decide(Supplier<Future<T>> shared, Supplier<? extends T> alone) {
        if (redis.isFailing()) {
            decidedAlone.increment();
            return Future.succeededFuture(alone.get());
        }
        return redis.recordOutcome(shared.get()).otherwise(failure -> {
            decidedAlone.increment();
            return alone.get();
        });
    }

    /** If Redis's clock has jumped, which makes it think that it comes too late, it is asked once more. */
    private Future<Reply> spendInRedis(long subject, Limits limits, long version) {
        return trySpending(subject, limits, version).recover(failure -> {
            if (failure instanceof Late late) {
                clockOfRedis.observe(late.nowMillis());
                return trySpending(subject, limits, version);
            }
            return Future.failedFuture(failure);
        });
    }

    /** A response that comes when the request has been decided locally says what Redis has counted, so one of the two is withdrawn. */
    private Future<Reply> trySpending(long subject, Limits limits, long version) {
        Consumer<Response> late = response ->
                QuotaScript.lateDecision(response, limits).ifPresent(counted -> activity.withdraw(subject, counted));
        long notAfter = clockOfRedis.millis() + patienceMillis;
        return script.run(command -> redis.send(command, late), subject, version, limits, 1, notAfter)
                .onSuccess(reply -> {
                    if (reply instanceof Decision decision) {
                        clockOfRedis.observe(decision.nowMillis());
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
