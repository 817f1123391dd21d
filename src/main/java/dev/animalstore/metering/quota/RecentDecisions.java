package dev.animalstore.metering.quota;

import dev.animalstore.metering.quota.Decision.Outcome;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The subjects on which this replica has decided since the last collection. It is kept in memory, so recording costs no I/O. If the process
 * dies, nothing is lost but the times of last uses: the counts are in Redis.
 */
@Singleton
public final class RecentDecisions {
    private static final long NEVER = 0;

    private final ConcurrentHashMap<SubjectId, Long> lastAdmittedMillis = new ConcurrentHashMap<>();

    void record(SubjectId subject, Decision decision) {
        if (decision.outcome() == Outcome.ADMITTED) {
            lastAdmittedMillis.put(subject, decision.nowMillis());
        } else {
            lastAdmittedMillis.putIfAbsent(subject, NEVER);
        }
    }

    /** Removes and returns the subjects that sent requests, each with the time of its last admitted one in milliseconds, or 0 if none was. */
    public Map<SubjectId, Long> drain() {
        Map<SubjectId, Long> drained = new HashMap<>();
        lastAdmittedMillis.keySet().forEach(subject -> drained.put(subject, lastAdmittedMillis.remove(subject)));
        return drained;
    }

    public void restore(Map<SubjectId, Long> drained) {
        drained.forEach((subject, millis) -> lastAdmittedMillis.merge(subject, millis, Math::max));
    }
}
