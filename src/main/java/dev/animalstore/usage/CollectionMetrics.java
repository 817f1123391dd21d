package dev.animalstore.usage;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** The metrics of usage collections. */
@Startup
@Singleton
final class CollectionMetrics {
    private final Timer time;
    private final Counter failures;
    private final Counter rows;
    private volatile long lastSuccessNanos = System.nanoTime();

    CollectionMetrics(MeterRegistry metrics) {
        time = Timer.builder("animalstore.usage.collection")
                .description("Duration of a usage collection, including failed ones")
                .register(metrics);
        failures = Counter.builder("animalstore.usage.collection.failures")
                .description("Usage collections that failed and are retried")
                .register(metrics);
        rows = Counter.builder("animalstore.usage.rows")
                .description("Usage rows that were added or changed")
                .register(metrics);
        TimeGauge.builder("animalstore.usage.collection.age", this, TimeUnit.NANOSECONDS, CollectionMetrics::age)
                .description("Time since the last successful usage collection")
                .register(metrics);
    }

    /** Runs a collection, which returns how many rows it wrote. A failure is recorded and not propagated. */
    void record(IntSupplier collection) {
        try {
            rows.increment(time.record(collection));
            lastSuccessNanos = System.nanoTime();
        } catch (RuntimeException failure) {
            failures.increment();
        }
    }

    private double age() {
        return System.nanoTime() - lastSuccessNanos;
    }
}
