package dev.animalstore.quota;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What this replica decided since it was last collected: which subjects sent requests, and the counts of what it decided locally, which
 * are in no Redis. Kept in memory, so that recording it costs a request no I/O.
 *
 * <p>A subject that is lost with the process loses no counts, since they are in Redis. A count of local decisions that is lost with the
 * process is lost for good.
 */
@Singleton
public final class Activity {
    /** More than the subjects that can be metered locally, so that only an outage of PostgreSQL over several days is cut off. */
    private static final int MAXIMUM_LOCAL_COUNTS = 500_000;

    /** Stands for a subject of which no request was admitted. */
    private static final long NEVER = 0;

    private final ConcurrentHashMap<Long, Long> lastAdmittedMillis = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<SubjectDay, DayCount> local = new ConcurrentHashMap<>();
    private final Counter lost;

    Activity(MeterRegistry metrics) {
        lost = Counter.builder("animalstore.usage.lost")
                .description("Decisions made locally that are in no usage, because too many waited for PostgreSQL")
                .register(metrics);
    }

    /** Records a decision that Redis made and has counted. */
    void record(long subject, Decision decision) {
        if (decision.outcome() == Decision.Outcome.ADMITTED) {
            lastAdmittedMillis.put(subject, decision.nowMillis());
        } else {
            lastAdmittedMillis.putIfAbsent(subject, NEVER);
        }
    }

    /** Records and counts a decision that this replica made locally. */
    void recordLocal(long subject, Decision decision) {
        record(subject, decision);
        add(subject, decision, 1);
    }

    /** Takes a decision out of the counts: another one was made of the same request, and has been recorded or will be. */
    void withdraw(long subject, Decision decision) {
        lastAdmittedMillis.putIfAbsent(subject, NEVER);
        add(subject, decision, -1);
    }

    /** Takes out which subjects sent requests, each with the time of the last one that was admitted, in milliseconds; 0 if none was. */
    public Map<Long, Long> drain() {
        Map<Long, Long> drained = new HashMap<>();
        for (Long subject : lastAdmittedMillis.keySet()) {
            drained.put(subject, lastAdmittedMillis.remove(subject));
        }
        return drained;
    }

    /** Puts back what was taken out and could not be collected. */
    public void restore(Map<Long, Long> drained) {
        drained.forEach((subject, millis) -> lastAdmittedMillis.merge(subject, millis, Math::max));
    }

    /** Takes out at most so many of the counts of local decisions. A count is negative if a decision was withdrawn later. */
    public List<DayCount> drainLocal(int maximum) {
        List<DayCount> drained = new ArrayList<>();
        for (SubjectDay each : local.keySet()) {
            if (drained.size() == maximum) {
                break;
            }
            DayCount count = local.remove(each);
            if (!count.isEmpty()) {
                drained.add(count);
            }
        }
        return drained;
    }

    private void add(long subject, Decision decision, int count) {
        SubjectDay key = new SubjectDay(subject, Math.floorDiv(decision.nowMillis(), Window.DAY.toMillis()));
        if (local.size() >= MAXIMUM_LOCAL_COUNTS && !local.containsKey(key)) {
            lost.increment();
            return;
        }
        DayCount change = new DayCount(
                subject,
                LocalDate.ofEpochDay(key.day()),
                decision.outcome() == Decision.Outcome.ADMITTED ? count : 0,
                decision.outcome() == Decision.Outcome.REFUSED ? count : 0,
                decision.outcome() == Decision.Outcome.BANNED ? count : 0,
                0);
        local.merge(key, change, DayCount::plus);
    }

    private record SubjectDay(long subject, long day) {}
}
