package dev.animalstore.quota;

import dev.animalstore.fixture.TestServers;
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

    private static final QuotaScript SCRIPT = new QuotaScript(BanRules.CONTRACT);
    private static final Script RAISE = Script.load(QuotaLimiter.class, "raise.lua");

    private final Vertx vertx = Vertx.vertx();
    private final RedisConnection redis =
            await(Redis.createClient(vertx, TestServers.redis()).connect());

    static long newSubject() {
        return SUBJECTS.incrementAndGet();
    }

    /** Charges one request at a given time. */
    public Decision spend(long subject, long version, Limits limits, Instant time) {
        return decide(BanRules.CONTRACT, subject, version, limits, 1, time);
    }

    /** Charges one request at the time of Redis. */
    Decision spend(long subject, long version, Limits limits) {
        return (Decision) await(SCRIPT.run(redis::send, subject, version, limits, 1, Long.MAX_VALUE));
    }

    /** Charges one request, or none if the cost is 0, at a given time with given ban rules. */
    Decision decide(BanConfig bans, long subject, long version, Limits limits, int cost, Instant time) {
        return (Decision) reply(bans, subject, version, limits, cost, time);
    }

    /** As above, if the version may be outdated. */
    Reply reply(BanConfig bans, long subject, long version, Limits limits, int cost, Instant time) {
        return await(start(bans, subject, version, limits, cost, time));
    }

    /** As above without waiting: requests may be in flight together, and run in the order in which they were started. */
    Future<Reply> start(BanConfig bans, long subject, long version, Limits limits, int cost, Instant time) {
        return new QuotaScript(bans)
                .run(redis::send, subject, version, limits, cost, Long.MAX_VALUE, time.toEpochMilli());
    }

    /** Announces a newer version of a subject, which is kept for at least a time. */
    void raise(long subject, long version, Duration knownFor) {
        await(RAISE.run(redis::send, QuotaScript.hash(subject), version, knownFor.toMillis(), 0));
    }

    /** Lifts a subject's ban, and deletes its strikes and earlier bans. */
    void liftBan(long subject) {
        await(RAISE.run(redis::send, QuotaScript.hash(subject), 1, 0, 1));
    }

    /** The fields of a subject's hash. */
    String hash(long subject) {
        return send(Command.HGETALL, QuotaScript.hash(subject)).toString();
    }

    /** How long the subject's hash is kept, in milliseconds. */
    long millisToLive(long subject) {
        return send(Command.PTTL, QuotaScript.hash(subject)).toLong();
    }

    /** The clock of Redis. */
    long serverMillis() {
        Response time = send(Command.TIME);
        return time.get(0).toLong() * 1000 + time.get(1).toLong() / 1000;
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
