package dev.animalstore.quota;

import dev.animalstore.quota.Reply.Stale;
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
    private static final int STALE = OUTCOMES.length;
    private static final Script SCRIPT = Script.load(QuotaScript.class, "quota.lua");

    /** Whether a request is charged. */
    enum Charge {
        /** No: the reply is what the decision would be. */
        NONE(0),
        /** If Redis knows a version of the subject. If it does not, it may have lost one that is newer than the caller's copy. */
        IF_KNOWN(1),
        /** In any case: the caller's copy is certain to be current. */
        ALWAYS(2);

        private final int argument;

        Charge(int argument) {
            this.argument = argument;
        }
    }

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

    /** Runs the script, on Redis's clock if the time is 0; only tests give another one. */
    Future<Response> run(
            Function<Request, Future<Response>> send, String hash, Subject subject, Charge charge, long timeMillis) {
        Limits limits = subject.limits();
        return SCRIPT.run(
                send,
                hash,
                command -> command.arg(subject.version())
                        .arg(limits.perMinute())
                        .arg(limits.perDay())
                        .arg(charge.argument)
                        .arg(bans)
                        .arg(timeMillis));
    }

    /** The result of a run with those limits. */
    static Reply reply(Response response, Limits limits) {
        Buffer result = response.toBuffer();
        int outcome = (int) number(result, 0);
        if (outcome == STALE) {
            return new Stale(number(result, 1));
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
