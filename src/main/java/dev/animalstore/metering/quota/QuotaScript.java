package dev.animalstore.metering.quota;

import dev.animalstore.metering.quota.Reply.Ended;
import dev.animalstore.metering.quota.Reply.Outdated;
import dev.animalstore.redis.Script;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** The arguments and results of {@code quota.lua} as Java types. */
public final class QuotaScript {
    private static final Decision.Outcome[] OUTCOMES = Decision.Outcome.values();
    private static final int OUTDATED = OUTCOMES.length;
    private static final int ENDED = OUTDATED + 1;
    private static final Script SCRIPT = Script.load(QuotaScript.class, "quota.lua");

    private final byte[] bans;

    QuotaScript(BanConfig bans) {
        this.bans = (bans.strikesPerLimit()
                        + " " + bans.strikeWindow().toMillis()
                        + " " + bans.grace().toMillis()
                        + " " + bans.first().toMillis()
                        + " " + bans.longest().toMillis()
                        + " " + bans.forgottenAfter().toMillis())
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** The name of the hash of a subject. The braces place all keys of a subject in one slot of a Redis Cluster. */
    public static String hash(String prefix, SubjectId subject) {
        return prefix + "{" + subject.number() + "-" + subject.created() + "}";
    }

    /**
     * Runs the script, on Redis's clock if the time is 0; only tests give another one.
     *
     * @param charged whether a request is charged; otherwise the reply is what the decision would be
     */
    Future<Response> run(
            Function<Request, Future<Response>> send, String hash, Subject subject, boolean charged, long timeMillis) {
        Quota limits = subject.limits();
        return SCRIPT.run(
                send,
                hash,
                command -> command.arg(subject.version())
                        .arg(limits.perMinute())
                        .arg(limits.perDay())
                        .arg(subject.endsMillis() == Subject.NEVER ? "" : Long.toString(subject.endsMillis()))
                        .arg(charged ? 1 : 0)
                        .arg(bans)
                        .arg(timeMillis));
    }

    /** The result of a run with those limits. */
    static Reply reply(Response response, Quota limits) {
        Buffer result = response.toBuffer();
        int outcome = (int) number(result, 0);
        if (outcome == OUTDATED) {
            return new Outdated(number(result, 1));
        }
        if (outcome == ENDED) {
            return new Ended();
        }
        return Decision.of(
                OUTCOMES[outcome],
                number(result, 1),
                limits,
                number(result, 2),
                number(result, 3),
                number(result, 4),
                number(result, 5),
                number(result, 6),
                (int) number(result, 7),
                true);
    }

    /** Doubles, since Lua has no other numbers, packed into one text: eight replies of their own would each be an object, and be parsed. */
    private static long number(Buffer result, int index) {
        return (long) result.getDouble(index * Double.BYTES);
    }
}
