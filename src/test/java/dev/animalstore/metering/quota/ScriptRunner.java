package dev.animalstore.metering.quota;

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
    /** Stands for the time of Redis. */
    static final Instant NOW = Instant.EPOCH;

    /** Subjects that no test of an application uses: keys there are numbered from 1. */
    private static final AtomicLong SUBJECTS = new AtomicLong(1L << 40);

    private static final String PREFIX = "animalstore:test:";
    private static final long CREATED = 1_800_000_000_000_000L;
    private static final Script ANNOUNCE = Script.load(QuotaLimiter.class, "announce.lua");

    private final Vertx vertx = Vertx.vertx();
    private final RedisConnection redis =
            await(Redis.createClient(vertx, TestServers.redis()).connect());

    static long newSubject() {
        return SUBJECTS.incrementAndGet();
    }

    /** Charges one request. Strikes count from the first one. */
    public Decision spend(SubjectId subject, Quota limits, Instant time) {
        return (Decision) reply(BanRules.STRICT, new Subject(subject, 1, limits, Subject.NEVER), true, time);
    }

    /** Runs the script at a given time, or at that of Redis. */
    Reply reply(BanConfig bans, Subject subject, boolean charged, Instant time) {
        String hash = QuotaScript.hash(PREFIX, subject.id());
        return QuotaScript.reply(
                await(new QuotaScript(bans).run(redis::send, hash, subject, charged, time.toEpochMilli())),
                subject.limits());
    }

    /** Announces a newer version of a subject, which is kept for at least a time, and ends its ban unless a time of Redis is over. */
    Response announce(long subject, long version, Duration knownFor, Instant liftUntil) {
        return await(ANNOUNCE.run(
                redis::send,
                name(subject),
                command -> command.arg(version).arg(knownFor.toMillis()).arg(liftUntil.toEpochMilli())));
    }

    static String name(long subject) {
        return QuotaScript.hash(PREFIX, new SubjectId(subject, CREATED));
    }

    static Subject copy(long subject, long version, Quota limits) {
        return new Subject(new SubjectId(subject, CREATED), version, limits, Subject.NEVER);
    }

    public Response send(Command command, String... arguments) {
        Request request = Request.cmd(command);
        for (String argument : arguments) {
            request.arg(argument);
        }
        return await(redis.send(request));
    }

    @Override
    public void close() {
        await(vertx.close());
    }

    public static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }
}
