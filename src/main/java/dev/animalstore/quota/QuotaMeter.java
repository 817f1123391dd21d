package dev.animalstore.quota;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jboss.logging.Logger;

/** Charges requests to the quotas of subjects: in Redis, shared by all replicas, and in this replica's memory while Redis fails. */
@Singleton
public final class QuotaMeter {
    private static final Logger LOG = Logger.getLogger(QuotaMeter.class);
    private static final Script QUOTA = Script.load("quota.lua");

    /** Subjects that one replica meters by itself at the most, of those that are active while Redis is away. */
    private static final long MAXIMUM_LOCAL_SUBJECTS = 200_000;

    private final RedisLine redis;
    private final LocalMeter local;

    QuotaMeter(RedisLine redis, Clock clock, QuotaConfig config) {
        this.redis = redis;
        this.local = new LocalMeter(clock, config.replicas(), MAXIMUM_LOCAL_SUBJECTS);
    }

    /**
     * Charges one request to a subject, or refuses it. One round trip to Redis. Never blocks and never fails.
     *
     * @param subject the subject's identifier
     * @param version the version of the caller's copy of the subject, from which the limits come
     */
    public Uni<Decision> spend(long subject, Limits limits, long version) {
        return Uni.createFrom()
                .completionStage(decide(redis::send, subject, version, limits)
                        .otherwise(failure -> {
                            LOG.warnf("Redis failed: %s", failure.getMessage());
                            return local.spend(Long.toString(subject), limits);
                        })
                        .toCompletionStage());
    }

    /**
     * Runs the script.
     *
     * @param send carries a command to Redis
     * @param timeMillis none, but in tests, which say what time it is
     */
    static Future<Decision> decide(
            Function<Request, Future<Response>> send, long subject, long version, Limits limits, long... timeMillis) {
        long[] arguments = LongStream.concat(
                        LongStream.of(version, limits.perMinute(), limits.perDay()), LongStream.of(timeMillis))
                .toArray();
        return QUOTA.run(send, hash(subject), arguments).map(result -> decision(result, limits));
    }

    /** The braces make all that belongs to a subject fall into one slot of a Redis Cluster. */
    static String hash(long subject) {
        return "animalstore:{" + subject + "}";
    }

    private static Decision decision(Response result, Limits limits) {
        return new Decision(
                outcome(result.get(0).toInteger()),
                result.get(1).toLong(),
                Window.of(
                        limits.perMinute(),
                        result.get(2).toLong(),
                        result.get(3).toLong()),
                Window.of(limits.perDay(), result.get(4).toLong(), result.get(5).toLong()));
    }

    /** The numbers that {@code quota.lua} gives the outcomes. */
    private static Decision.Outcome outcome(int number) {
        return switch (number) {
            case 0 -> Decision.Outcome.ADMITTED;
            case 1 -> Decision.Outcome.REFUSED;
            case 2 -> Decision.Outcome.STALE;
            default -> throw new IllegalStateException("quota.lua gave outcome " + number);
        };
    }
}
