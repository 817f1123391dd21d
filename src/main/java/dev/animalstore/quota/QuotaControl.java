package dev.animalstore.quota;

import dev.animalstore.quota.QuotaScript.Charge;
import dev.animalstore.redis.RedisClient;
import dev.animalstore.redis.Script;
import io.vertx.core.Future;
import jakarta.inject.Singleton;
import java.time.Duration;

/** What operators do with subjects: see their quotas and bans, announce that they have changed, and end bans. Never blocks. */
@Singleton
public final class QuotaControl {
    private static final Script ANNOUNCE = Script.load(QuotaControl.class, "announce.lua");

    /** How long Redis keeps an announced version: as long as a replica may keep an older copy, which {@code KeyConfig} limits. */
    private static final Duration ANNOUNCED_FOR = Duration.ofHours(1);

    private final RedisClient redis;
    private final QuotaLimiter limiter;
    private final QuotaScript script;

    QuotaControl(RedisClient redis, QuotaLimiter limiter, BanConfig bans) {
        this.redis = redis;
        this.limiter = limiter;
        script = new QuotaScript(bans);
    }

    /** The current quota and ban of a subject, also for an outdated copy. Never fails. */
    public Future<State> peek(Subject subject) {
        String hash = hash(subject);
        Subject newest = new Subject(subject.id(), Long.MAX_VALUE, subject.origin(), subject.limits());
        return script.run(redis::send, hash, newest, Charge.NONE, 0)
                .map(state -> new State((Decision) QuotaScript.reply(state, subject.limits()), true))
                .otherwise(failure -> new State(limiter.decideLocally(subject, Charge.NONE), false));
    }

    /** Whether Redis responds now, so that all replicas share the limits of a subject. One round trip. Never fails. */
    public Future<Boolean> isShared(long subject) {
        return peek(new Subject(subject, 0, 0, new Limits(1, 1))).map(State::shared);
    }

    /**
     * Announces a new version of a subject, or its first one, so that from the next request on no replica uses an older copy. If Redis fails,
     * this is retried until every replica has noticed: each then reads its copies again when Redis is available, and uses them for their
     * cache time at most until then. Never fails.
     */
    public Future<Void> announce(Subject subject) {
        return announce(subject, 0).otherwiseEmpty();
    }

    /**
     * Announces a new version of a subject, ends its ban and clears the refusals and bans before it; charges stay. Bans that replicas have
     * imposed locally end with the version.
     *
     * @return failed if Redis does not respond in time; a command that it executes later does not end the ban
     */
    public Future<Void> liftBan(Subject subject) {
        return peek(subject)
                .compose(state -> state.shared()
                        ? announce(
                                subject,
                                state.decision().nowMillis() + redis.retryTime().toMillis())
                        : Future.failedFuture("Redis is unavailable"));
    }

    /** @param liftUntilMillis until when, by the clock of Redis, the ban may be ended; 0 if it is not */
    private Future<Void> announce(Subject subject, long liftUntilMillis) {
        String hash = hash(subject);
        return redis.retry(send -> ANNOUNCE.run(
                        send,
                        hash,
                        command -> command.arg(subject.version())
                                .arg(ANNOUNCED_FOR.toMillis())
                                .arg(subject.origin())
                                .arg(liftUntilMillis)))
                .mapEmpty();
    }

    private String hash(Subject subject) {
        return QuotaScript.hash(redis.prefix(), subject.id());
    }

    /** The decision for a request sent now, and whether Redis made it, for all replicas; otherwise this replica did. */
    public record State(Decision decision, boolean shared) {}
}
