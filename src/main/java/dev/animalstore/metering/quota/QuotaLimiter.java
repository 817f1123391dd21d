package dev.animalstore.metering.quota;

import dev.animalstore.metering.quota.Reply.Unavailable;
import dev.animalstore.redis.Probe;
import dev.animalstore.redis.RedisClient;
import dev.animalstore.redis.Script;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.runtime.Startup;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Charges requests to the quotas of subjects, in Redis, shared by all replicas, or locally in memory while Redis is unavailable: the caller
 * gets a decision in either case. For operators it shows quotas and bans, announces that subjects have changed, and ends bans. Never blocks.
 * Created at the start, since it is what probes Redis.
 */
@Startup
@Singleton
public final class QuotaLimiter {
    private static final Reply UNAVAILABLE = new Unavailable();
    private static final Script ANNOUNCE = Script.load(QuotaLimiter.class, "announce.lua");

    /** How long Redis keeps an announced version: as long as a replica keeps an older copy that is not used. */
    private static final Duration ANNOUNCED_FOR = Duration.ofHours(1);

    /** The maximum number of subjects that one replica limits locally while Redis is unavailable. */
    private static final long MAXIMUM_LOCAL_SUBJECTS = 200_000;

    /** Redis is available if it charges a request like any other, on a hash that is no subject's. */
    private static final Subject PROBED =
            new Subject(new SubjectId(0, 0), 0, new Quota(Integer.MAX_VALUE, Integer.MAX_VALUE), Subject.NEVER);

    private static final Duration[] BUCKETS =
            Stream.of(1, 2, 5, 10, 20, 50, 100).map(Duration::ofMillis).toArray(Duration[]::new);

    private final RedisClient redis;
    private final QuotaScript script;
    private final LocalLimiter local;
    private final RecentDecisions recent;
    private final Counter localDecisions;
    private final Timer time;
    private final Probe probe;

    QuotaLimiter(
            RedisClient redis,
            Clock clock,
            LocalLimiter.Config config,
            BanConfig bans,
            RecentDecisions recent,
            MeterRegistry metrics) {
        this.redis = redis;
        this.recent = recent;
        script = new QuotaScript(bans);
        local = new LocalLimiter(clock, config.replicas(), MAXIMUM_LOCAL_SUBJECTS);
        localDecisions = Counter.builder("animalstore.quota.local.decisions")
                .description("Decisions made locally because Redis failed or did not respond in time")
                .register(metrics);
        time = Timer.builder("animalstore.quota.decision")
                .description("Duration of a decision, including the round trip to Redis")
                .serviceLevelObjectives(BUCKETS)
                .register(metrics);
        probe = redis.probeAvailability(hash -> script.run(redis::sendAnyway, hash, PROBED, true, 0));
    }

    /**
     * Charges one request to a subject, or refuses it, by one round trip to Redis, which also tells whether the caller's knowledge of the subject is
     * outdated. Never fails. If the response comes too late, the request is charged, although the caller is told that Redis is unavailable.
     *
     * @param charged otherwise nothing is charged, and the decision is what it would be
     */
    public Future<Reply> spend(Subject subject, boolean charged) {
        long start = System.nanoTime();
        return script.run(redis::send, hash(subject), subject, charged, 0).transform(response -> {
            time.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
            return Future.succeededFuture(replied(response, subject, charged));
        });
    }

    /** Only a decision that charges is a success: a Redis that refuses writes gives the other replies too. */
    private Reply replied(AsyncResult<Response> response, Subject subject, boolean charged) {
        if (response.failed()) {
            redis.recordOutcome(response.cause());
            return UNAVAILABLE;
        }
        Reply reply = QuotaScript.reply(response.result(), subject.limits());
        if (charged && reply instanceof Decision decision) {
            redis.recordOutcome(null);
            recent.record(subject.id(), decision);
        }
        return reply;
    }

    /** Charges one request to this replica's share of the limits of a subject, or refuses it, while Redis is unavailable. */
    public Decision spendAlone(Subject subject) {
        localDecisions.increment();
        Decision decision = local.spend(hash(subject), subject.limits());
        recent.record(subject.id(), decision);
        return decision;
    }

    /** The present state of this replica's share of the limits of a subject. */
    public Decision peekAlone(Subject subject) {
        return local.peek(hash(subject), subject.limits());
    }

    /** The present quota and ban of a subject, whatever its version and its end. Never fails. */
    public Future<Decision> peek(Subject subject) {
        Subject newest = new Subject(subject.id(), Long.MAX_VALUE, subject.limits(), Subject.NEVER);
        return script.run(redis::send, hash(subject), newest, false, 0)
                .map(state -> (Decision) QuotaScript.reply(state, subject.limits()))
                .otherwise(failure -> peekAlone(subject));
    }

    /**
     * Announces a new version of a subject, or its first one, so that from the next request on no replica uses an older copy. If Redis fails,
     * this is retried for about a second, or tried once if Redis has failed for that long already. Never fails.
     *
     * @return whether Redis has confirmed it
     */
    public Future<Boolean> announce(Subject subject) {
        return announce(subject, 0).map(true).otherwise(false);
    }

    /**
     * Announces a new version of a subject, ends its ban and clears the refusals and bans before it; charges stay.
     *
     * @return failed if Redis does not respond in time; a command that it executes later does not end the ban
     */
    public Future<Void> liftBan(Subject subject) {
        return peek(subject)
                .compose(state -> state.shared()
                        ? announce(
                                subject, state.nowMillis() + redis.outageTime().toMillis())
                        : Future.failedFuture("Redis is unavailable"));
    }

    /** @param liftUntilMillis until when, by the clock of Redis, the ban may be ended; 0 if it is not */
    private Future<Void> announce(Subject subject, long liftUntilMillis) {
        return probe.retry(() -> ANNOUNCE.run(
                        redis::sendAnyway,
                        hash(subject),
                        command -> command.arg(subject.version())
                                .arg(ANNOUNCED_FOR.toMillis())
                                .arg(liftUntilMillis)))
                .mapEmpty();
    }

    private String hash(Subject subject) {
        return QuotaScript.hash(redis.prefix(), subject.id());
    }
}
