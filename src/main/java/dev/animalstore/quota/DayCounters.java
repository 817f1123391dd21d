package dev.animalstore.quota;

import dev.animalstore.redis.RedisClient;
import dev.animalstore.redis.Script;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Singleton;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** The counts by subject and day that {@code quota.lua} keeps in Redis until the collector stores them. */
@Singleton
public final class DayCounters {
    private static final Script COLLECTED = Script.load(DayCounters.class, "collected.lua");
    private static final String[] FIELDS = {"dc", "de", "dr", "db", "di", "dx", "du"};

    private final RedisClient redis;

    DayCounters(RedisClient redis) {
        this.redis = redis;
    }

    /** Whether Redis is known to be unavailable, so that nothing should be read. */
    public boolean isUnavailable() {
        return redis.isFailing();
    }

    /**
     * The counts of some subjects, by one command for each, sent together. Never blocks.
     *
     * @return in the order of the subjects; failed if Redis does not respond in time
     */
    public Future<List<Reading>> read(List<Long> subjects) {
        List<Future<Reading>> readings = subjects.stream()
                .map(subject -> redis.send(command(subject)).map(fields -> reading(subject, fields)))
                .toList();
        return Future.all(readings).map(all -> all.<Reading>list());
    }

    /** Removes the counts of past days, once they have been stored, unless they have changed since they were read. Never blocks. */
    public Future<Boolean> forgetPast(Reading stored) {
        return COLLECTED
                .run(redis::send, QuotaScript.hash(stored.subject()), stored.past())
                .map(removed -> removed.toInteger() == 1);
    }

    private static Request command(long subject) {
        Request command = Request.cmd(Command.HMGET).arg(QuotaScript.hash(subject));
        for (String field : FIELDS) {
            command.arg(field);
        }
        return command;
    }

    private static Reading reading(long subject, Response fields) {
        List<DayCount> days = new ArrayList<>();
        String past = fields.get(6) == null ? "" : fields.get(6).toString();
        for (String pastDay : past.isEmpty() ? List.<String>of() : List.of(past.split(";", -1))) {
            days.add(pastDay(subject, pastDay));
        }
        long end = number(fields, 1);
        if (end > 0) {
            days.add(new DayCount(
                    subject,
                    LocalDate.ofEpochDay(end / Window.DAY.toMillis() - 1),
                    number(fields, 0) - number(fields, 5),
                    number(fields, 2),
                    number(fields, 3),
                    number(fields, 4)));
        }
        return new Reading(subject, days.stream().filter(day -> !day.isEmpty()).toList(), past);
    }

    private static DayCount pastDay(long subject, String text) {
        String[] numbers = text.split(" ", -1);
        return new DayCount(
                subject,
                LocalDate.ofEpochDay(Long.parseLong(numbers[0])),
                Long.parseLong(numbers[1]),
                Long.parseLong(numbers[2]),
                Long.parseLong(numbers[3]),
                Long.parseLong(numbers[4]));
    }

    private static long number(Response fields, int index) {
        Response field = fields.get(index);
        return field == null ? 0 : field.toLong();
    }

    /**
     * The counts that Redis holds for a subject.
     *
     * @param days its counts, by day
     * @param past the stored text of past days; empty if there are none
     */
    public record Reading(long subject, List<DayCount> days, String past) {}
}
