package dev.animalstore.metering.usage;

import dev.animalstore.metering.quota.DayCounters;
import dev.animalstore.metering.quota.DayCounters.Reading;
import dev.animalstore.metering.quota.RecentDecisions;
import dev.animalstore.metering.quota.SubjectId;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.quarkus.logging.Log;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Collects usage, and the time of each key's last use, so that a request costs no write. The stored data lags behind by at most 20 seconds
 * while Redis and PostgreSQL respond, that of a replica that was killed by at most an hour. The timers are monotonic: a clock that is set
 * back stops nothing.
 *
 * <p>Keys are read and written a few hundred at a time, one batch after the other, so that requests, which share the connection to Redis,
 * hardly wait.
 */
@Singleton
final class UsageCollector {
    /** How often the keys that this replica decided on are collected. */
    static final Duration EVERY = Duration.ofSeconds(10);

    /** How often what killed replicas have left is collected: one that fails is repeated within the hour. */
    static final Duration SWEEP_EVERY = Duration.ofMinutes(30);

    private final RecentDecisions recent;
    private final DayCounters counters;
    private final UsageRepository usage;
    private final Timer time;
    private final ScheduledExecutorService threads;
    private volatile long lastSuccessNanos = System.nanoTime();
    private volatile boolean sweepFailed;
    private volatile boolean ended;

    UsageCollector(
            RecentDecisions recent,
            DayCounters counters,
            UsageRepository usage,
            ScheduledExecutorService threads,
            MeterRegistry metrics) {
        this.recent = recent;
        this.counters = counters;
        this.usage = usage;
        this.threads = threads;
        time = Timer.builder("animalstore.usage.collection")
                .description("Duration of a usage collection, including failed ones")
                .register(metrics);
        TimeGauge.builder(
                        "animalstore.usage.collection.age",
                        this,
                        TimeUnit.NANOSECONDS,
                        collector -> System.nanoTime() - collector.lastSuccessNanos)
                .description("Time since the last usage collection, if the last sweep succeeded too")
                .register(metrics);
    }

    void start(@Observes StartupEvent start) {
        schedule(this::collect, EVERY);
        schedule(this::sweep, SWEEP_EVERY);
    }

    private void schedule(Runnable collection, Duration every) {
        var unused = threads.scheduleWithFixedDelay(collection, EVERY.toSeconds(), every.toSeconds(), TimeUnit.SECONDS);
    }

    /** Collects the keys that this replica decided on since the last run. What cannot be collected is left for the next run. */
    synchronized void collect() {
        if (!ended) {
            time.record(this::collectRecent);
        }
    }

    /** Collects all keys, since nothing else would those of a replica that was killed, unless another replica does. Then removes old usage. */
    void sweep() {
        if (ended) {
            return;
        }
        try {
            AtomicLong missing = new AtomicLong();
            usage.exclusively(() -> {
                List<SubjectId> keys = usage.keysAfter(0);
                while (!keys.isEmpty() && !ended) {
                    List<SubjectId> batch = keys;
                    QuarkusTransaction.suspendingExisting()
                            .run(() -> missing.addAndGet(
                                    batch.size() - collect(batch).size()));
                    keys = usage.keysAfter(keys.get(keys.size() - 1).number());
                }
            });
            // Not in the transaction, which PostgreSQL would end if it were idle for so long.
            usage.removeOld();
            if (missing.get() > 0) {
                throw new IllegalStateException("Redis does not return the counts of " + missing + " keys");
            }
            sweepFailed = false;
        } catch (RuntimeException | Error e) {
            sweepFailed = true;
            Log.warnf("The usage of all keys could not be collected; the next sweep retries: %s", e.getMessage());
        }
    }

    /** Waits for the running collection, and collects the rest, since afterwards Redis and PostgreSQL are closed. */
    synchronized void end(@Observes ShutdownEvent shutdown) {
        ended = true;
        collectRecent();
    }

    private void collectRecent() {
        Map<SubjectId, Long> remaining = recent.drain();
        try {
            List<SubjectId> keys = List.copyOf(remaining.keySet());
            for (int i = 0; i < keys.size(); i += UsageRepository.BATCH) {
                List<SubjectId> batch = keys.subList(i, Math.min(i + UsageRepository.BATCH, keys.size()));
                List<Long> locked = usage.recordLastUse(batch, remaining);
                collect(batch).stream()
                        .filter(key -> !locked.contains(key.number()))
                        .forEach(remaining::remove);
            }
            if (!remaining.isEmpty()) {
                throw new IllegalStateException("Redis does not return their counts, or their rows are locked");
            }
            if (!sweepFailed) {
                lastSuccessNanos = System.nanoTime();
            }
        } catch (RuntimeException | Error e) {
            recent.restore(remaining);
            Log.warnf(
                    "The usage of %d keys could not be collected; the next run retries: %s",
                    remaining.size(), e.getMessage());
        }
    }

    /** Returns the keys that were collected: in a cluster, those of a master that is down are not. */
    private Set<SubjectId> collect(List<SubjectId> keys) {
        List<Reading> readings =
                counters.read(keys).toCompletionStage().toCompletableFuture().join();
        usage.merge(
                readings.stream().flatMap(reading -> reading.days().stream()).toList());
        // Those that are not removed are stored again, with the same result.
        readings.stream().filter(reading -> !reading.past().isEmpty()).forEach(counters::forgetPast);
        return readings.stream().map(Reading::subject).collect(Collectors.toSet());
    }
}
