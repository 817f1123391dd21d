package dev.animalstore.quota;

import dev.animalstore.fixture.TestServers;
import dev.animalstore.quota.QuotaScript.Charge;
import dev.animalstore.redis.Script;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Runs {@code quota.lua} on the tests' Redis, over one connection. */
public final class ScriptRunner implements AutoCloseable {
    /** Subjects that no test of an application uses: keys there are numbered from 1. */
    private static final AtomicLong SUBJECTS = new AtomicLong(1L << 40);

    private static final String PREFIX = "animalstore:test:";
    private static final long CREATED = 1_800_000_000_000_000L;
    private static final QuotaScript SCRIPT = new QuotaScript(BanRules.CONTRACT);
    private static final Script ANNOUNCE = Script.load(QuotaLimiter.class, "announce.lua");

    private final Vertx vertx = Vertx.vertx();
    private final RedisConnection redis =
            await(Redis.createClient(vertx, TestServers.redis()).connect());

    static long newSubject() {
        return SUBJECTS.incrementAndGet();
    }

    /** Charges one request at a given time. Strikes count from the first one. */
    public Decision spend(SubjectId subject, Limits limits, Instant time) {
        Response result = await(new QuotaScript(BanRules.STRICT)
                .run(
                        redis::send,
                        QuotaScript.hash(PREFIX, subject),
                        new Subject(subject, 1, limits),
                        Charge.ALWAYS,
                        time.toEpochMilli()));
        return (Decision) QuotaScript.reply(result, limits);
    }

    /** Charges one request at the time of Redis. */
    Decision spend(long subject, long version, Limits limits) {
        Response result =
                await(SCRIPT.run(redis::send, name(subject), copy(subject, version, limits), Charge.ALWAYS, 0));
        return (Decision) QuotaScript.reply(result, limits);
    }

    /** Charges one request at the time of Redis. Strikes count from the first one. */
    Decision spendStrictly(long subject, Limits limits) {
        Response result = await(new QuotaScript(BanRules.STRICT)
                .run(redis::send, name(subject), copy(subject, 1, limits), Charge.ALWAYS, 0));
        return (Decision) QuotaScript.reply(result, limits);
    }

    /** Charges one request, or none, of a subject that may have another one's identifier. */
    Reply reply(Subject subject, Charge charge, Instant time) {
        Response result = await(
                SCRIPT.run(redis::send, QuotaScript.hash(PREFIX, subject.id()), subject, charge, time.toEpochMilli()));
        return QuotaScript.reply(result, subject.limits());
    }

    /** Charges one request, or none if the cost is 0, at a given time with given ban rules and a version that may be outdated. */
    Reply reply(BanConfig bans, long subject, long version, Limits limits, int cost, Instant time) {
        return await(start(bans, subject, version, limits, cost, time));
    }

    /** As above without waiting: requests may be in flight together, and run in the order in which they were started. */
    Future<Reply> start(BanConfig bans, long subject, long version, Limits limits, int cost, Instant time) {
        return new QuotaScript(bans)
                .run(
                        redis::send,
                        name(subject),
                        copy(subject, version, limits),
                        cost == 0 ? Charge.NONE : Charge.ALWAYS,
                        time.toEpochMilli())
                .map(result -> QuotaScript.reply(result, limits));
    }

    /** Announces a newer version of a subject, which is kept for at least a time. */
    void announce(long subject, long version, Duration knownFor) {
        await(announce(subject, version, knownFor.toMillis(), 0));
    }

    /** Ends the ban of a subject, if that is not too late at the time of Redis. */
    Response liftBan(long subject, Instant latest) {
        return await(announce(subject, 1, 1, latest.toEpochMilli()));
    }

    private Future<Response> announce(long subject, long version, long knownForMillis, long liftUntilMillis) {
        return ANNOUNCE.run(
                redis::send,
                name(subject),
                command -> command.arg(version).arg(knownForMillis).arg(liftUntilMillis));
    }

    /** The name of a subject's hash. */
    static String name(long subject) {
        return QuotaScript.hash(PREFIX, new SubjectId(subject, CREATED));
    }

    private static Subject copy(long subject, long version, Limits limits) {
        return new Subject(new SubjectId(subject, CREATED), version, limits);
    }

    /** How long the subject's hash is kept, in milliseconds. */
    long millisToLive(long subject) {
        return send(Command.PTTL, name(subject)).toLong();
    }

    public Response send(Command command, String... arguments) {
        return await(start(command, arguments));
    }

    /** Sends a command without waiting for its response. */
    Future<Response> start(Command command, String... arguments) {
        Request request = Request.cmd(command);
        for (String argument : arguments) {
            request.arg(argument);
        }
        return redis.send(request);
    }

    @Override
    public void close() {
        await(vertx.close());
    }

    /** Waits for a result. */
    public static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }
}
