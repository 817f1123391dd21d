package dev.animalstore.quota;

import dev.animalstore.redis.Script;
import io.vertx.core.Future;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;

/** The arguments and results of {@code quota.lua} as Java types. */
final class QuotaScript {
    private static final int STALE = 2;
    private static final int LATE = 4;
    private static final Script SCRIPT = Script.load(QuotaScript.class, "quota.lua");

    private final BanConfig bans;

    QuotaScript(BanConfig bans) {
        this.bans = bans;
    }

    /** The braces place all keys of a subject in one slot of a Redis Cluster. */
    static String hash(long subject) {
        return "animalstore:{" + subject + "}";
    }

    /**
     * Runs the script.
     *
     * @param send sends a command to Redis
     * @param cost 1 to charge a request, 0 to peek
     * @param notAfterMillis the last time, by Redis's clock in milliseconds since 1970, at which the script may act
     * @param timeMillis the current time, in tests only
     * @return failed with {@link Late} if that time had passed; nothing was charged then
     */
    Future<Reply> run(
            Function<Request, Future<Response>> send,
            long subject,
            long version,
            Limits limits,
            int cost,
            long notAfterMillis,
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
                bans.forgottenAfter().toMillis(),
                notAfterMillis);
        return SCRIPT.run(
                        send,
                        hash(subject),
                        LongStream.concat(arguments, LongStream.of(timeMillis)).toArray())
                .compose(result -> isLate(result)
                        ? Future.failedFuture(new Late(result.get(1).toLong()))
                        : Future.succeededFuture(reply(result, limits)));
    }

    /** The charge or refusal in a late response, which its caller no longer waits for; empty if it has neither. */
    static Optional<Decision> lateDecision(Response result, Limits limits) {
        return isLate(result) || isStale(result) ? Optional.empty() : Optional.of(decision(result, limits));
    }

    private static Reply reply(Response result, Limits limits) {
        return isStale(result) ? new Reply.Stale(result.get(1).toLong()) : decision(result, limits);
    }

    private static boolean isStale(Response result) {
        return result.get(0).toInteger() == STALE;
    }

    private static boolean isLate(Response result) {
        return result.get(0).toInteger() == LATE;
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
            default -> throw new IllegalStateException("quota.lua returned outcome " + number);
        };
    }

    /** Redis ran the script only after its caller had stopped waiting, by what was known of Redis's clock when it was sent. */
    static final class Late extends Exception {
        private static final long serialVersionUID = 1L;

        private final long nowMillis;

        Late(long nowMillis) {
            super("Redis ran the script too late", null, false, false);
            this.nowMillis = nowMillis;
        }

        /** When Redis ran the script, by its own clock, in milliseconds since 1970. */
        long nowMillis() {
            return nowMillis;
        }
    }
}
