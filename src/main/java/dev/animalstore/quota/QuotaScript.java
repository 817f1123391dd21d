package dev.animalstore.quota;

import dev.animalstore.redis.Script;
import io.vertx.core.Future;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.function.Function;

/** The arguments and results of {@code quota.lua} as Java types. */
final class QuotaScript {
    private static final Decision.Outcome[] OUTCOMES = Decision.Outcome.values();
    private static final int STALE = OUTCOMES.length;
    private static final Script SCRIPT = Script.load(QuotaScript.class, "quota.lua");

    private final BanConfig bans;

    QuotaScript(BanConfig bans) {
        this.bans = bans;
    }

    /**
     * The name of the hash of a subject. The braces place all keys of a subject in one slot of a Redis Cluster.
     *
     * @param prefix as in {@code RedisClient}
     */
    static String hash(String prefix, long subject) {
        return prefix + "{" + subject + "}";
    }

    /**
     * Runs the script.
     *
     * @param send sends a command to Redis
     * @param hash the subject's
     * @param cost 1 to charge a request, 0 to peek
     * @param timeMillis the current time, in tests only; 0 for that of Redis
     */
    Future<Reply> run(
            Function<Request, Future<Response>> send,
            String hash,
            Subject subject,
            Limits limits,
            int cost,
            long timeMillis) {
        return SCRIPT.run(
                        send,
                        hash,
                        subject.version(),
                        limits.perMinute(),
                        limits.perDay(),
                        cost,
                        bans.strikes(limits),
                        bans.strikeWindow().toMillis(),
                        bans.first().toMillis(),
                        bans.longest().toMillis(),
                        bans.forgottenAfter().toMillis(),
                        subject.origin(),
                        timeMillis)
                .map(result -> reply(result, limits));
    }

    private static Reply reply(Response result, Limits limits) {
        int outcome = result.get(0).toInteger();
        if (outcome == STALE) {
            return new Reply.Stale(result.get(1).toLong());
        }
        return Decision.of(
                OUTCOMES[outcome],
                result.get(1).toLong(),
                limits,
                result.get(2).toLong(),
                result.get(3).toLong(),
                result.get(4).toLong(),
                result.get(5).toLong(),
                result.get(6).toLong(),
                result.get(7).toInteger());
    }
}
