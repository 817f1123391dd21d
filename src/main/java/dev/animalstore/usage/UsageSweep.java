package dev.animalstore.usage;

import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Collects the usage of all keys if a replica was killed before it could collect what it had decided on. A sweep is also due after the start,
 * since all replicas may have been killed, and at long intervals.
 */
@Singleton
final class UsageSweep {
    /** How often a sweep is due even if no replica was killed. */
    static final String EVERY = "15m";

    private static final Logger LOG = Logger.getLogger(UsageSweep.class);

    private static final long NOT_SWEEPING = -1;

    private final UsageCollector collector;
    private final UsageRepository usage;
    private final LiveCollectors live;
    private final AtomicBoolean due = new AtomicBoolean(true);

    /** The last key that the present sweep has collected. */
    private long last = NOT_SWEEPING;

    UsageSweep(UsageCollector collector, UsageRepository usage, LiveCollectors live) {
        this.collector = collector;
        this.usage = usage;
        this.live = live;
    }

    @Scheduled(every = EVERY, delayed = EVERY)
    void require() {
        due.set(true);
    }

    /** Sweeps if a sweep is due. One that fails is continued the next time, from where it failed. */
    @Scheduled(every = "4s", delayed = "4s", concurrentExecution = ConcurrentExecution.SKIP)
    synchronized void sweepIfDue() {
        try {
            if (!collector.hasEnded() && live.signAndRemoveSilent()) {
                due.set(true);
            }
            if (last == NOT_SWEEPING && due.getAndSet(false)) {
                last = 0;
            }
            while (last != NOT_SWEEPING && collector.canCollect()) {
                List<Long> keys = usage.keysAfter(last);
                collector.collect(keys);
                last = keys.isEmpty() ? NOT_SWEEPING : keys.get(keys.size() - 1);
            }
        } catch (RuntimeException e) {
            LOG.warnf("The usage of all keys could not be collected yet: %s", e.getMessage());
        }
    }
}
