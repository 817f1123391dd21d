package dev.animalstore.metering.quota;

import dev.animalstore.metering.quota.Decision.Window;
import dev.animalstore.redis.RedisClient;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The counts by subject and day that {@code quota.lua} keeps in Redis until they are collected. */
@Singleton
public final class DayCounters {
    private static final String PAST = "u";

    private final RedisClient redis;

    DayCounters(RedisClient redis) {
        this.redis = redis;
    }

    /**
     * The counts of some subjects, by one command for each, sent together. Never blocks.
     *
     * @return in the order of the subjects, without those whose counts Redis does not return in time
     */
    public Future<List<Reading>> read(List<SubjectId> subjects) {
        List<Future<Reading>> readings = subjects.stream()
                .map(subject -> send(Command.HGETALL, subject, List.of()).map(counts -> reading(subject, counts)))
                .toList();
        return Future.join(readings)
                .otherwiseEmpty()
                .map(ended -> readings.stream()
                        .filter(Future::succeeded)
                        .map(Future::result)
                        .toList());
    }

    /** Removes the counts of past days, once they have been stored. Never blocks. */
    public Future<Response> forgetPast(Reading stored) {
        return send(Command.HDEL, stored.subject(), stored.past());
    }

    private Future<Response> send(Command name, SubjectId subject, List<String> fields) {
        String hash = QuotaScript.hash(redis.prefix(), subject);
        Request command = Request.cmd(name).arg(hash);
        fields.forEach(command::arg);
        return redis.send(command);
    }

    private static Reading reading(SubjectId subject, Response counts) {
        List<DayCount> days = new ArrayList<>();
        long end = number(counts.get("de"));
        if (end > 0) {
            long day = end / Window.DAY.toMillis() - 1;
            days.add(DayCount.of(
                    subject, day, number(counts.get("dc")), number(counts.get("dr")), number(counts.get("db"))));
        }
        List<String> past = counts.getKeys().stream()
                .filter(field -> field.startsWith(PAST))
                .toList();
        for (String field : past) {
            long day = Long.parseLong(field.substring(PAST.length()));
            long[] numbers = Stream.of(counts.get(field).toString().split(" ", -1))
                    .mapToLong(Long::parseLong)
                    .toArray();
            days.add(DayCount.of(subject, day, numbers[0], numbers[1], numbers[2]));
        }
        return new Reading(subject, days, past);
    }

    private static long number(Response count) {
        return count == null ? 0 : count.toLong();
    }

    /** How many requests of a subject were admitted, refused and banned on one UTC day, given in days since 1970. */
    public record DayCount(long subject, long created, long day, long admitted, long refused, long banned) {
        static DayCount of(SubjectId subject, long day, long admitted, long refused, long banned) {
            return new DayCount(subject.number(), subject.created(), day, admitted, refused, banned);
        }
    }

    /** The counts that Redis holds for a subject, by day, and the fields with those of past days, which are no longer changed. */
    public record Reading(SubjectId subject, List<DayCount> days, List<String> past) {}
}
