package dev.animalstore.quota;

import dev.animalstore.quota.DayCounters.DayCount;
import dev.animalstore.quota.Decision.Outcome;
import dev.animalstore.quota.Decision.Window;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * This replica's decisions since the last collection: which subjects sent requests, and the counts of its local decisions, which Redis does
 * not have. It is kept in memory, so recording costs no I/O. It has an entry for each subject that was used, and each day.
 *
 * <p>If the process dies, counts in Redis are safe, and counts of local decisions are lost.
 */
@Singleton
public final class Activity {
    private static final long NEVER = 0;

    private final ConcurrentHashMap<Long, Long> lastAdmittedMillis = new ConcurrentHashMap<>();

    /** The key of an entry is a count of the same subject, origin and day, whose figures are 0. */
    private final ConcurrentHashMap<DayCount, DayCount> local = new ConcurrentHashMap<>();

    void record(Subject subject, Decision decision) {
        if (decision.outcome() == Outcome.ADMITTED) {
            lastAdmittedMillis.put(subject.id(), decision.nowMillis());
        } else {
            lastAdmittedMillis.putIfAbsent(subject.id(), NEVER);
        }
    }

    void recordLocal(Subject subject, Decision decision) {
        record(subject, decision);
        long day = Math.floorDiv(decision.nowMillis(), Window.DAY.toMillis());
        DayCount none = new DayCount(subject.id(), subject.origin(), day, 0, 0, 0);
        DayCount one = new DayCount(
                subject.id(),
                subject.origin(),
                day,
                decision.outcome() == Outcome.ADMITTED ? 1 : 0,
                decision.outcome() == Outcome.REFUSED ? 1 : 0,
                decision.outcome() == Outcome.BANNED ? 1 : 0);
        local.merge(none, one, DayCount::plus);
    }

    /** Removes and returns the subjects that sent requests, each with the time of its last admitted one in milliseconds, or 0 if none was. */
    public Map<Long, Long> drain() {
        Map<Long, Long> drained = new HashMap<>();
        lastAdmittedMillis.keySet().forEach(subject -> drained.put(subject, lastAdmittedMillis.remove(subject)));
        return drained;
    }

    /** Puts back drained subjects that could not be collected. */
    public void restore(Map<Long, Long> drained) {
        drained.forEach((subject, millis) -> lastAdmittedMillis.merge(subject, millis, Math::max));
    }

    /** Removes and returns at most {@code maximum} counts of local decisions. */
    public List<DayCount> drainLocal(int maximum) {
        List<DayCount> drained = new ArrayList<>();
        local.keySet().stream().limit(maximum).forEach(key -> drained.add(local.remove(key)));
        return drained;
    }
}
