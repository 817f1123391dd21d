package dev.animalstore.quota;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.quota.QuotaScript.Charge;
import dev.animalstore.quota.Reply.Stale;
import dev.animalstore.redis.RedisClient;
import dev.animalstore.redis.Script;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.runtime.Startup;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.VertxException;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Singleton;
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
    private static final Script ANNOUNCE = Script.load(QuotaLimiter.class, "announce.lua");

    /** How long Redis keeps an announced version: as long as a replica keeps an older copy that is not used. */
    private static final Duration ANNOUNCED_FOR = Duration.ofHours(1);

    /** The maximum number of subjects that one replica limits locally while Redis is unavailable. */
    private static final long MAXIMUM_LOCAL_SUBJECTS = 200_000;

    /** Redis is available if it charges a request like any other, on a hash that is no subject's. */
    private static final Subject PROBE =
            Subject.current(new SubjectId(0, 0), 1, new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE));

    private static final Duration[] BUCKETS =
            Stream.of(1, 2, 5, 10, 20, 50, 100).map(Duration::ofMillis).toArray(Duration[]::new);

    private final RedisClient redis;
    private final QuotaScript script;
    private final LocalLimiter local;
    private final RecentDecisions recent;
    private final Counter localDecisions;
    private final Timer time;
    private final Ticker ticker;

    /** Nothing was sent, since Redis has become available after the copy was taken from memory. */
    private final RuntimeException earlierEpoch = new VertxException("The copy may be outdated.", true);

    QuotaLimiter(
            RedisClient redis,
            RedisClock clock,
            Ticker ticker,
            LocalLimiter.Config config,
            BanConfig bans,
            RecentDecisions recent,
            MeterRegistry metrics) {
        this.redis = redis;
        this.recent = recent;
        this.ticker = ticker;
        script = new QuotaScript(bans);
        local = new LocalLimiter(clock.getClock(), config.replicas(), MAXIMUM_LOCAL_SUBJECTS);
        localDecisions = Counter.builder("animalstore.quota.local.decisions")
                .description("Decisions made locally because Redis failed or did not respond in time")
                .register(metrics);
        time = Timer.builder("animalstore.quota.decision")
                .description("Duration of a decision, including the round trip to Redis")
                .serviceLevelObjectives(BUCKETS)
                .register(metrics);
        redis.probeBy((send, hash) -> {
            long sentMillis = clock.hostMillis();
            return script.run(send, hash, PROBE, Charge.ALWAYS, 0).map(response -> {
                Decision decision = (Decision) QuotaScript.reply(response, PROBE.limits());
                clock.correct(sentMillis, decision.nowMillis());
                return decision;
            });
        });
    }

    /**
     * Charges one request to a subject, or refuses it. One round trip to Redis, which also tells whether the subject is known well enough;
     * if not, nothing is charged, and the caller is to read it again. A subject that is {@linkplain Subject#current current} is charged in
     * any case, unless it has changed since. Never fails.
     */
    public Future<Reply> spend(Subject subject) {
        return decide(subject, subject.isCurrent() ? Charge.ALWAYS : Charge.IF_KNOWN);
    }

    /** As {@link #spend}, without charging. */
    public Future<Reply> check(Subject subject) {
        return decide(subject, Charge.NONE);
    }

    /** The present quota and ban of a subject, whatever its version. Never fails. */
    public Future<Decision> peek(Subject subject) {
        String hash = QuotaScript.hash(redis.prefix(), subject.id());
        Subject newest = Subject.current(subject.id(), Long.MAX_VALUE, subject.limits());
        return script.run(redis::send, hash, newest, Charge.NONE, 0)
                .map(state -> (Decision) QuotaScript.reply(state, subject.limits()))
                .otherwise(failure -> local.peek(hash, subject.limits()));
    }

    /**
     * Announces a new version of a subject, or its first one, so that from the next request on no replica uses an older copy. If Redis fails,
     * this is retried until every replica has noticed: each then reads its copies again when Redis is available, and uses them for their
     * cache time at most until then. Never fails.
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
                                subject, state.nowMillis() + redis.retryTime().toMillis())
                        : Future.failedFuture("Redis is unavailable"));
    }

    /** @param liftUntilMillis until when, by the clock of Redis, the ban may be ended; 0 if it is not */
    private Future<Void> announce(Subject subject, long liftUntilMillis) {
        String hash = QuotaScript.hash(redis.prefix(), subject.id());
        return redis.retry(send -> ANNOUNCE.run(
                        send,
                        hash,
                        command -> command.arg(subject.version())
                                .arg(ANNOUNCED_FOR.toMillis())
                                .arg(liftUntilMillis)))
                .mapEmpty();
    }

    private Future<Reply> decide(Subject subject, Charge charge) {
        long start = System.nanoTime();
        String hash = QuotaScript.hash(redis.prefix(), subject.id());
        return script.run(command -> redis.send(() -> inEpoch(subject, command)), hash, subject, charge, 0)
                .transform(response -> {
                    Reply reply = decided(response, hash, subject, charge);
                    if (charge != Charge.NONE) {
                        time.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
                        if (reply instanceof Decision decision) {
                            recent.record(subject.id(), decision);
                        }
                    }
                    return Future.succeededFuture(reply);
                });
    }

    /** If the reply comes too late, the request is also decided locally, and may be counted twice. */
    private Reply decided(AsyncResult<Response> response, String hash, Subject subject, Charge charge) {
        if (response.cause() == earlierEpoch) {
            return new Stale(subject.version());
        }
        redis.recordOutcome(response.cause());
        if (response.succeeded()) {
            return QuotaScript.reply(response.result(), subject.limits());
        }
        if (!subject.isCurrent() && ticker.read() - subject.aloneUntilNanos() > 0) {
            return new Stale(subject.version());
        }
        if (charge == Charge.NONE) {
            return local.peek(hash, subject.limits());
        }
        localDecisions.increment();
        return local.spend(hash, subject.limits());
    }

    /** Returns a command that is about to be sent, if what the caller knows of the subject may still be used then. */
    private Request inEpoch(Subject subject, Request command) {
        if (subject.epoch() < redis.epoch()) {
            throw earlierEpoch;
        }
        return command;
    }

    /** As {@link RedisClient#epoch}. Copies of subjects from an earlier epoch must not be used. */
    public long epoch() {
        return redis.epoch();
    }
}
