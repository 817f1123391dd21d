package dev.animalstore.quota;

import dev.animalstore.quota.QuotaScript.Charge;
import dev.animalstore.quota.Reply.Stale;
import dev.animalstore.redis.RedisClient;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.runtime.Startup;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
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
@Startup
@Singleton
public final class QuotaLimiter {
    /** The identifier of no subject: nothing is charged. */
    public static final long NO_KEY = 0;

    /** In place of the epoch of a copy: it was read after the request had arrived, so it has every change that the request must obey. */
    public static final long FRESH = -1;

    /** The maximum number of subjects that one replica limits locally while Redis is unavailable. */
    private static final long MAXIMUM_LOCAL_SUBJECTS = 200_000;

    /** Redis is available if it charges a request like any other, on a hash that is no subject's. */
    private static final Subject PROBE = new Subject(NO_KEY, 1, 0, new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE));

    private static final Duration[] BUCKETS =
            Stream.of(1, 2, 5, 10, 20, 50, 100).map(Duration::ofMillis).toArray(Duration[]::new);

    private final RedisClient redis;
    private final QuotaScript script;
    private final LocalLimiter local;
    private final Activity activity;
    private final Counter localDecisions;
    private final Timer time;
    private final RuntimeException ofEarlierEpoch = new IllegalStateException("The copy may be outdated.");

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
        redis.probeBy((send, hash) -> script.run(send, hash, PROBE, Charge.ALWAYS, 0));
    }

    /**
     * Charges one request to a subject, or refuses it. One round trip to Redis. Never blocks and never fails.
     *
     * @param subject the copy that the limits come from, or one of {@link #NO_KEY}
     * @param epoch the {@link #epoch} before the copy was taken from memory, or {@link #FRESH}
     */
    public Future<Reply> spend(Subject subject, long epoch) {
        if (subject.id() == NO_KEY) {
            return check(subject, FRESH);
        }
        return decide(subject, epoch, epoch == FRESH ? Charge.ALWAYS : Charge.IF_KNOWN);
    }

    /** As {@link #spend}, without charging. While Redis is unavailable, no copy is known to be outdated. */
    public Future<Reply> check(Subject subject, long epoch) {
        return decide(subject, epoch, Charge.NONE);
    }

    private Future<Reply> decide(Subject subject, long epoch, Charge charge) {
        long start = System.nanoTime();
        String hash = QuotaScript.hash(redis.prefix(), subject.id());
        return script.run(command -> redis.send(() -> inEpoch(epoch, command)), hash, subject, charge, 0)
                .transform(
                        response -> Future.succeededFuture(timed(start, charge, decided(response, subject, charge))));
    }

    /** If the reply comes too late, the request is also decided locally, and may be counted twice. */
    private Reply decided(AsyncResult<Response> response, Subject subject, Charge charge) {
        if (response.cause() == ofEarlierEpoch) {
            return new Stale(subject.version());
        }
        redis.recordOutcome(response.cause());
        if (response.failed()) {
            return decideLocally(subject, charge);
        }
        Reply reply = QuotaScript.reply(response.result(), subject.limits());
        if (charge != Charge.NONE && reply instanceof Decision decision) {
            activity.record(subject, decision);
        }
        return reply;
    }

    private Reply timed(long start, Charge charge, Reply reply) {
        if (charge != Charge.NONE) {
            time.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
        }
        return reply;
    }

    /** Returns a command that is about to be sent, if the copy that it relies on may still be used then. */
    private Request inEpoch(long epoch, Request command) {
        if (epoch != FRESH && epoch != redis.epoch()) {
            throw ofEarlierEpoch;
        }
        return command;
    }

    Decision decideLocally(Subject subject, Charge charge) {
        localDecisions.increment();
        String name = subject.id() + ":" + subject.origin();
        if (charge == Charge.NONE) {
            return local.peek(name, subject.limits(), subject.version());
        }
        Decision decision = local.spend(name, subject.limits(), subject.version());
        activity.recordLocal(subject, decision);
        return decision;
    }

    /**
     * The number of times that Redis has become available, as {@link RedisClient#epoch}. Versions may be lost with Redis, or not have been
     * announced meanwhile, so copies of subjects from an earlier epoch must not be used.
     */
    public long epoch() {
        return redis.epoch();
    }
}
