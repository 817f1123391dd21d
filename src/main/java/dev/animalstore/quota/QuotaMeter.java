package dev.animalstore.quota;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** Charges requests to the quotas of subjects: in Redis, shared by all replicas, and in this replica's memory while Redis fails. */
@Singleton
public final class QuotaMeter {
    private static final Logger LOG = Logger.getLogger(QuotaMeter.class);
    private static final Script RAISE = Script.load("raise.lua");

    /** How long a raised version is known at least. It only has to outlive the replicas' copies, which they keep for seconds. */
    private static final Duration RAISED_FOR = Duration.ofHours(1);

    /** Subjects that one replica meters by itself at the most, of those that are active while Redis is away. */
    private static final long MAXIMUM_LOCAL_SUBJECTS = 200_000;

    private final RedisLine redis;
    private final QuotaScript script;
    private final LocalMeter local;

    QuotaMeter(RedisLine redis, Clock clock, QuotaConfig config, BanConfig bans) {
        this.redis = redis;
        this.script = new QuotaScript(bans);
        this.local = new LocalMeter(clock, config.replicas(), Optional.of(bans), MAXIMUM_LOCAL_SUBJECTS);
    }

    /**
     * Charges one request to a subject, or refuses it. One round trip to Redis. Never blocks and never fails.
     *
     * @param subject the subject's identifier
     * @param version the version of the caller's copy of the subject, from which the limits come
     */
    public Uni<Decision> spend(long subject, Limits limits, long version) {
        return orElse(
                script.run(redis::send, subject, version, limits, 1),
                () -> local.spend(Long.toString(subject), limits));
    }

    /** How the quota of a subject stands, and whether it is banned, without charging. Never blocks and never fails. */
    public Uni<Decision> peek(long subject, Limits limits, long version) {
        return orElse(
                script.run(redis::send, subject, version, limits, 0), () -> local.peek(Long.toString(subject), limits));
    }

    /**
     * Makes a new version of a subject known, so that no replica acts on an older copy from the next request on. While Redis is away it
     * has no effect, and the replicas' copies end with their time.
     */
    public Uni<Void> raise(long subject, long version) {
        return Uni.createFrom()
                .completionStage(RAISE.run(redis::send, QuotaScript.hash(subject), version, RAISED_FOR.toMillis())
                        .<Void>mapEmpty()
                        .onFailure(QuotaMeter::warn)
                        .otherwiseEmpty()
                        .toCompletionStage());
    }

    /**
     * Ends a subject's ban and forgets the refusals and bans that led to it. What it spent stays spent.
     *
     * @return failed where Redis, which holds the ban, does not answer
     */
    public Uni<Void> pardon(long subject) {
        local.pardon(Long.toString(subject));
        Request forget = Request.cmd(Command.HDEL).arg(QuotaScript.hash(subject));
        QuotaScript.BAN_FIELDS.forEach(forget::arg);
        return Uni.createFrom()
                .completionStage(redis.send(forget).<Void>mapEmpty().toCompletionStage());
    }

    private static Uni<Decision> orElse(Future<Decision> decision, Supplier<Decision> local) {
        return Uni.createFrom()
                .completionStage(decision.otherwise(failure -> {
                            warn(failure);
                            return local.get();
                        })
                        .toCompletionStage());
    }

    private static void warn(Throwable failure) {
        LOG.warnf("Redis failed: %s", failure.getMessage());
    }
}
