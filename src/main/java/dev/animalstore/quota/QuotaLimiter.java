package dev.animalstore.quota;

import dev.animalstore.redis.RedisClient;
import dev.animalstore.redis.RedisClient.NewEpochException;
import dev.animalstore.redis.Script;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Future;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Charges requests to the quotas of subjects: in Redis, shared by all replicas, or locally in memory while Redis is unavailable. The caller
 * gets a decision in either case.
 */
@Singleton
public final class QuotaLimiter {
    private static final Script ANNOUNCE = Script.load(QuotaLimiter.class, "announce.lua");

    /** How long Redis keeps an announced version: as long as a replica may keep an older copy, which {@code KeyConfig} limits. */
    private static final Duration ANNOUNCED_FOR = Duration.ofHours(1);

    /** The maximum number of subjects that one replica limits locally while Redis is unavailable. */
    private static final long MAXIMUM_LOCAL_SUBJECTS = 200_000;

    /** The identifier of no subject: nothing is charged. */
    public static final long NO_KEY = 0;

    /** The epoch of a copy that may be used in whatever epoch. */
    public static final long ANY_EPOCH = RedisClient.ANY_EPOCH;

    private static final Duration[] BUCKETS =
            Stream.of(1, 2, 5, 10, 20, 50, 100).map(Duration::ofMillis).toArray(Duration[]::new);

    private final RedisClient redis;
    private final QuotaScript script;
    private final LocalLimiter local;
    private final Activity activity;
    private final Counter localDecisions;
    private final Timer time;

    QuotaLimiter(
            RedisClient redis,
            Clock clock,
            LocalLimiter.Config config,
            BanConfig bans,
            Activity activity,
            MeterRegistry metrics) {
        this.redis = redis;
        this.activity = activity;
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
     * @param subject the copy that the limits come from, or one of {@link #NO_KEY}
     * @param epoch the {@link #epoch} before the copy was read, or {@link #ANY_EPOCH}
     */
    public Future<Reply> spend(Subject subject, Limits limits, long epoch) {
        long start = System.nanoTime();
        boolean uncounted = subject.id() == NO_KEY;
        return decide(subject, limits, uncounted ? ANY_EPOCH : epoch, uncounted ? 0 : 1)
                .onComplete(ignored -> time.record(System.nanoTime() - start, TimeUnit.NANOSECONDS));
    }

    /** As {@link #spend}, without charging. While Redis is unavailable, no copy is known to be outdated. */
    public Future<Reply> check(Subject subject, Limits limits, long epoch) {
        return decide(subject, limits, epoch, 0);
    }

    /** If the response comes too late, the request is also decided locally, and counted twice. */
    private Future<Reply> decide(Subject subject, Limits limits, long epoch, int cost) {
        String hash = hash(subject.id());
        if (redis.isFailing(hash)) {
            return Future.succeededFuture(decideLocally(subject, limits, cost));
        }
        return script.run(command -> redis.send(hash, command, epoch), hash, subject, limits, cost, 0)
                .transform(reply -> {
                    if (reply.cause() instanceof NewEpochException) {
                        return Future.succeededFuture(new Stale(subject.version()));
                    }
                    redis.recordOutcome(hash, reply.cause());
                    if (reply.failed()) {
                        return Future.succeededFuture(decideLocally(subject, limits, cost));
                    }
                    if (cost > 0 && reply.result() instanceof Decision decision) {
                        activity.record(subject, decision);
                    }
                    return Future.succeededFuture(reply.result());
                });
    }

    private Decision decideLocally(Subject subject, Limits limits, int cost) {
        localDecisions.increment();
        String name = subject.id() + ":" + subject.origin();
        if (cost == 0) {
            return local.peek(name, limits, subject.version());
        }
        Decision decision = local.spend(name, limits, subject.version());
        activity.recordLocal(subject, decision);
        return decision;
    }

    /**
     * The number of times that Redis has come back, as {@link RedisClient#epoch}. Versions may be lost with Redis, or not have been announced
     * meanwhile, so copies of subjects from an earlier epoch must not be used.
     */
    public long epoch() {
        return redis.epoch();
    }

    /** The current quota and ban of a subject, without charging, also for an outdated copy. Never blocks and never fails. */
    public Future<State> peek(Subject subject, Limits limits) {
        String hash = hash(subject.id());
        if (redis.isFailing(hash)) {
            return Future.succeededFuture(peekLocally(subject, limits));
        }
        Subject newest = new Subject(subject.id(), Long.MAX_VALUE, subject.origin());
        return script.run(command -> redis.send(hash, command), hash, newest, limits, 0, 0)
                .transform(reply -> {
                    redis.recordOutcome(hash, reply.cause());
                    return Future.succeededFuture(
                            reply.failed() ? peekLocally(subject, limits) : new State((Decision) reply.result(), true));
                });
    }

    private State peekLocally(Subject subject, Limits limits) {
        return new State(decideLocally(subject, limits, 0), false);
    }

    /** Whether Redis responds now, so that all replicas share the limits of a subject. One round trip. Never blocks and never fails. */
    public Future<Boolean> isShared(long subject) {
        return peek(new Subject(subject, 0, 0), new Limits(1, 1)).map(State::shared);
    }

    /**
     * Announces a new version of a subject, or its first one, so that from the next request on no replica uses an older copy. Retries until
     * every replica has noticed that Redis is away: each then reads its copies again when Redis is back, and uses them for their cache time
     * at most until then. Never blocks and never fails.
     */
    public Future<Void> announce(Subject subject) {
        return announce(subject, 0).otherwiseEmpty();
    }

    /**
     * Announces a new version of a subject, ends its ban and clears the refusals and bans before it; charges stay. Bans that replicas have
     * imposed locally end with the version. Never blocks.
     *
     * @return failed if Redis does not respond in time; if it had received the command, it may still end the ban when it goes on
     */
    public Future<Void> liftBan(Subject subject) {
        return announce(subject, 1);
    }

    private Future<Void> announce(Subject subject, int lifts) {
        String hash = hash(subject.id());
        return redis.retry(() -> ANNOUNCE.run(
                        command -> redis.send(hash, command),
                        hash,
                        subject.version(),
                        ANNOUNCED_FOR.toMillis(),
                        subject.origin(),
                        lifts))
                .mapEmpty();
    }

    private String hash(long subject) {
        return QuotaScript.hash(redis.prefix(), subject);
    }

    /**
     * The current quota and ban of a subject.
     *
     * @param decision the decision for a request sent now
     * @param shared whether Redis made the decision, for all replicas; otherwise this replica made it locally, because Redis is unavailable
     */
    public record State(Decision decision, boolean shared) {}

    /**
     * Whom requests are charged to, as the caller knows it, which may be outdated.
     *
     * @param id identifies the subject, positive
     * @param version the version of the caller's copy
     * @param origin when the subject came into being: tells it from others that had the identifier before
     */
    public record Subject(long id, long version, long origin) {}

    /** The result of a request to charge: a decision, or that the caller must read the subject again first. */
    public sealed interface Reply permits Decision, Stale {}

    /**
     * The caller's copy of the subject is outdated, or of an earlier epoch; nothing was charged.
     *
     * @param newest the newest version of the subject that is known, or the caller's
     */
    public record Stale(long newest) implements Reply {}
}
