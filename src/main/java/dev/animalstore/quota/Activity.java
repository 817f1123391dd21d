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
 * This replica's decisions since the last collection: which subjects sent requests, and the counts of its local decisions, which Redis does
 * not have. It is kept in memory, so recording costs no I/O.
 *
 * <p>If the process dies, counts in Redis are safe, and counts of local decisions are lost.
 */
@Singleton
public final class Activity {
    /** More than the subjects that can be limited locally, so only an outage of PostgreSQL that lasts days loses counts. */
    private static final int MAXIMUM_LOCAL_COUNTS = 500_000;

    /** The value for a subject without an admitted request. */
    private static final long NEVER = 0;

    private final ConcurrentHashMap<Long, Long> lastAdmittedMillis = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<SubjectDay, DayCount> local = new ConcurrentHashMap<>();
    private final Counter lost;

    Activity(MeterRegistry metrics) {
        lost = Counter.builder("animalstore.usage.lost")
                .description("Local decisions missing from the usage because too many waited for PostgreSQL")
                .register(metrics);
    }

    /** Records a decision that Redis made and counted. */
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

    /** Subtracts a decision from the counts, because the same request gets another decision, which is recorded separately. */
    void withdraw(long subject, Decision decision) {
        lastAdmittedMillis.putIfAbsent(subject, NEVER);
        add(subject, decision, -1);
    }

    /** Removes and returns the subjects that sent requests, each with the time of its last admitted one in milliseconds, or 0 if none was. */
    public Map<Long, Long> drain() {
        Map<Long, Long> drained = new HashMap<>();
        for (Long subject : lastAdmittedMillis.keySet()) {
            drained.put(subject, lastAdmittedMillis.remove(subject));
        }
        return drained;
    }

    /** Puts back drained subjects that could not be collected. */
    public void restore(Map<Long, Long> drained) {
        drained.forEach((subject, millis) -> lastAdmittedMillis.merge(subject, millis, Math::max));
    }

    /** Removes and returns at most {@code maximum} counts of local decisions. A count is negative if a decision was withdrawn later. */
    public List<DayCount> drainLocal(int maximum) {
        List<DayCount> drained = new ArrayList<>();
        for (SubjectDay subjectDay : local.keySet()) {
            if (drained.size() == maximum) {
                break;
            }
            DayCount count = local.remove(subjectDay);
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
