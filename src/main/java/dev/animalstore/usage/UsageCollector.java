package dev.animalstore.usage;

import dev.animalstore.quota.Activity;
import dev.animalstore.quota.DayCount;
import dev.animalstore.quota.DayCounters;
import dev.animalstore.quota.DayCounters.Reading;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.vertx.core.Future;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jboss.logging.Logger;

/**
 * Collects usage, and the time of each key's last use, so that a request costs no write. The stored data lags behind by at most 20 seconds
 * while Redis and PostgreSQL respond.
 *
 * <p>Keys are read and written a few hundred at a time, one batch after the other, so that requests, which share the connection to Redis,
 * hardly wait.
 */
@Singleton
public final class UsageCollector {
    /** How often the keys that this replica decided on are collected. */
    static final String EVERY = "10s";

    private static final Logger LOG = Logger.getLogger(UsageCollector.class);

    private final Activity activity;
    private final DayCounters counters;
    private final LocalCounts local;
    private final LiveCollectors live;
    private final UsageRepository usage;
    private final CollectionMetrics metrics;
    private volatile boolean ended;

    UsageCollector(
            Activity activity,
            DayCounters counters,
            LocalCounts local,
            LiveCollectors live,
            UsageRepository usage,
            CollectionMetrics metrics) {
        this.activity = activity;
        this.counters = counters;
        this.local = local;
        this.live = live;
        this.usage = usage;
        this.metrics = metrics;
    }

    /** Collects the keys that this replica decided on since the last run. What cannot be collected is left for the next run. */
    @Scheduled(every = EVERY, delayed = EVERY, concurrentExecution = ConcurrentExecution.SKIP)
    synchronized void collect() {
        if (!ended) {
            collectActivity();
        }
    }

    /** Waits for the running collection, and collects the rest, since afterwards Redis and PostgreSQL are closed. */
    void end(@Observes ShutdownEvent shutdown) {
        synchronized (this) {
            ended = true;
            collectActivity();
        }
        live.leave();
    }

    /** Whether keys can be collected: not while Redis is known to fail, and not once the service ends. */
    boolean canCollect() {
        return !ended && !counters.isUnavailable();
    }

    /** Whether this replica has collected for the last time. */
    boolean hasEnded() {
        return ended;
    }

    /**
     * Collects keys, including those that other replicas decided on. Fails if Redis or PostgreSQL does.
     *
     * @param keys at most {@value UsageRepository#BATCH}
     */
    void collect(List<Long> keys) {
        collect(keys, Map.of());
    }

    private void collectActivity() {
        TreeMap<Long, Long> remaining = new TreeMap<>(activity.drain());
        metrics.record(() -> {
            try {
                local.store();
                int written = 0;
                while (!remaining.isEmpty()) {
                    Map<Long, Long> batch = firstOf(remaining);
                    written += collect(List.copyOf(batch.keySet()), batch);
                    remaining.keySet().removeAll(batch.keySet());
                }
                return written;
            } catch (RuntimeException e) {
                activity.restore(remaining);
                LOG.warnf(
                        "The usage of %d keys could not be collected; the next run retries: %s",
                        remaining.size(), e.getMessage());
                throw e;
            }
        });
    }

    private int collect(List<Long> keys, Map<Long, Long> lastUsedMillis) {
        List<Reading> readings = await(counters.read(keys));
        List<DayCount> counts =
                readings.stream().flatMap(reading -> reading.days().stream()).toList();
        int written = usage.merge(counts, lastUsedMillis);
        readings.stream()
                .filter(reading -> !reading.past().isEmpty())
                .forEach(reading -> await(counters.forgetPast(reading)));
        return written;
    }

    private static Map<Long, Long> firstOf(Map<Long, Long> remaining) {
        Map<Long, Long> batch = new HashMap<>();
        remaining.entrySet().stream()
                .limit(UsageRepository.BATCH)
                .forEach(entry -> batch.put(entry.getKey(), entry.getValue()));
        return batch;
    }

    private static <T> T await(Future<T> response) {
        return response.toCompletionStage().toCompletableFuture().join();
    }
}
