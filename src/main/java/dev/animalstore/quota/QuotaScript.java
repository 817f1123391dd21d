package dev.animalstore.quota;

import dev.animalstore.redis.Script;
import io.vertx.core.Future;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.function.Function;
import java.util.stream.LongStream;

/** {@code quota.lua} as Java sees it: what goes in, and what the numbers mean that come out. */
final class QuotaScript {
    private static final int STALE = 2;
    private static final Script SCRIPT = Script.load(QuotaScript.class, "quota.lua");

    private final BanConfig bans;

    QuotaScript(BanConfig bans) {
        this.bans = bans;
    }

    /** The braces make all that belongs to a subject fall into one slot of a Redis Cluster. */
    static String hash(long subject) {
        return "animalstore:{" + subject + "}";
    }

    /**
     * Runs the script.
     *
     * @param send carries a command to Redis
     * @param cost 1 to spend a request, 0 to look only
     * @param timeMillis none, but in tests, which say what time it is
     */
    Future<Reply> run(
            Function<Request, Future<Response>> send,
            long subject,
            long version,
            Limits limits,
            int cost,
            long... timeMillis) {
        LongStream arguments = LongStream.of(
                version,
                limits.perMinute(),
                limits.perDay(),
                cost,
                bans.strikes(limits),
                bans.strikeWindow().toMillis(),
                bans.first().toMillis(),
                bans.longest().toMillis(),
                bans.forgottenAfter().toMillis());
        return SCRIPT.run(
                        send,
                        hash(subject),
                        LongStream.concat(arguments, LongStream.of(timeMillis)).toArray())
                .map(result -> reply(result, limits));
    }

    private static Reply reply(Response result, Limits limits) {
        return result.get(0).toInteger() == STALE
                ? new Reply.Stale(result.get(1).toLong())
                : decision(result, limits);
    }

    private static Decision decision(Response result, Limits limits) {
        return Decision.of(
                outcome(result.get(0).toInteger()),
                result.get(1).toLong(),
                limits,
                result.get(2).toLong(),
                result.get(3).toLong(),
                result.get(4).toLong(),
                result.get(5).toLong(),
                result.get(6).toLong(),
                result.get(7).toInteger());
    }

    private static Decision.Outcome outcome(int number) {
        return switch (number) {
            case 0 -> Decision.Outcome.ADMITTED;
            case 1 -> Decision.Outcome.REFUSED;
            case 3 -> Decision.Outcome.BANNED;
            default -> throw new IllegalStateException("quota.lua gave outcome " + number);
        };
    }
}
