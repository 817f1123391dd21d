package dev.animalstore.usage;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** What is measured of collections. */
@Startup
@Singleton
final class CollectionMetrics {
    private final Timer time;
    private final Counter failures;
    private final Counter rows;
    private volatile long lastSuccessNanos = System.nanoTime();

    CollectionMetrics(MeterRegistry metrics) {
        time = Timer.builder("animalstore.usage.collection")
                .description("How long a collection of usage takes, one that fails included")
                .register(metrics);
        failures = Counter.builder("animalstore.usage.collection.failures")
                .description("Collections of usage that failed, and are repeated")
                .register(metrics);
        rows = Counter.builder("animalstore.usage.rows")
                .description("Rows of usage that were added or changed")
                .register(metrics);
        TimeGauge.builder("animalstore.usage.collection.age", this, TimeUnit.NANOSECONDS, CollectionMetrics::age)
                .description("How long ago the last collection of usage succeeded")
                .register(metrics);
    }

    /** Runs a collection, which returns how many rows it wrote. Its failure is recorded, and ends here. */
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
