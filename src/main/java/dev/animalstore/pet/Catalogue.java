package dev.animalstore.pet;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.animalstore.error.ApiException;
import dev.animalstore.outage.DatabaseBreaker;
import dev.animalstore.pet.CataloguePage.Place;
import dev.animalstore.pet.CatalogueVersion.Version;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/**
 * Pages of the catalogue. A page in memory has the catalogue's version that was read before its query, and is served while that is still the
 * version. For another version, the first request queries the page, and others wait for that query. So a page shows every pet whose 201 came
 * before the request. While the version is unknown, each request queries PostgreSQL.
 *
 * <p>After the cache time a page is queried again, to find rows written by other systems. If that query fails, the page in memory is served.
 */
@Singleton
// Caffeine's class of caches with a maximum weight, which it loads by name. Quarkus registers the others that are used.
@RegisterForReflection(classNames = "com.github.benmanes.caffeine.cache.SSMW")
class Catalogue {
    /** The size of an entry in addition to the body of its page. */
    private static final int ENTRY_BYTES = 400;

    private final Cache<Place, Entry> pages;
    private final Duration cacheTime;
    private final CataloguePage.Reader reader;
    private final DatabaseBreaker database;
    private final Counter memoryHits;
    private final Counter databaseQueries;

    Catalogue(Config config, CataloguePage.Reader reader, DatabaseBreaker database, MeterRegistry metrics) {
        this.cacheTime = config.cacheTime();
        this.reader = reader;
        this.database = database;
        pages = Caffeine.newBuilder()
                .maximumWeight(config.cacheSize().asLongValue())
                .weigher((Place place, Entry entry) -> entry.bytes())
                .executor(Infrastructure.getDefaultWorkerPool())
                .build();
        var counters = Counter.builder("animalstore.catalogue.pages")
                .description("Catalogue pages by source")
                .withRegistry(metrics);
        memoryHits = counters.withTag("source", "memory");
        databaseQueries = counters.withTag("source", "database");
        var memory = pages.policy().eviction().orElseThrow();
        Gauge.builder(
                        "animalstore.catalogue.memory",
                        () -> memory.weightedSize().orElseThrow())
                .description("Memory used by cached catalogue pages")
                .baseUnit("bytes")
                .register(metrics);
    }

    /**
     * The page at a position. Never blocks.
     *
     * @param version the catalogue's version at some time since the request; {@code null} if it is unknown
     */
    CompletableFuture<CataloguePage> find(Place place, Version version) {
        if (version == null || cacheTime.isZero()) {
            return query(place);
        }
        Entry cached = pages.getIfPresent(place);
        if (cached != null && isCurrent(cached, version)) {
            memoryHits.increment();
            return cached;
        }
        Entry next = new Entry(version);
        Entry entry = pages.asMap()
                .compute(place, (ignored, present) -> present != null && isCurrent(present, version) ? present : next);
        if (entry == next) {
            var unused = query(place).whenComplete((page, failure) -> complete(place, next, page, failure, cached));
        }
        return entry;
    }

    private boolean isCurrent(Entry entry, Version version) {
        return entry.version.equals(version) && System.nanoTime() - entry.startNanos < cacheTime.toNanos();
    }

    /** Fails, and does not throw, if the pool of threads is full or shut down: others may wait for the page. */
    private CompletableFuture<CataloguePage> query(Place place) {
        databaseQueries.increment();
        try {
            return CompletableFuture.supplyAsync(() -> reader.read(place), Infrastructure.getDefaultWorkerPool());
        } catch (RejectedExecutionException full) {
            return CompletableFuture.failedFuture(full);
        }
    }

    /** If PostgreSQL is unavailable, the previous page is served, unless a pet was added since. */
    private void complete(Place place, Entry entry, CataloguePage page, Throwable failure, Entry previous) {
        if (failure == null) {
            entry.complete(page);
            // It has a weight now.
            pages.asMap().replace(place, entry, entry);
        } else if (!database.isOutage(failure)) {
            pages.asMap().remove(place, entry);
            entry.completeExceptionally(failure);
        } else {
            if (previous != null && previous.isLoaded() && previous.version.equals(entry.version)) {
                memoryHits.increment();
                pages.asMap().replace(place, entry, previous);
                entry.complete(previous.join());
            } else {
                pages.asMap().remove(place, entry);
                // One failure of one query, however many requests share it: none of them records it again.
                entry.completeExceptionally(ApiException.unavailable());
            }
            database.record(failure);
        }
    }

    /** How pages of the catalogue are cached (docs/configuration.md). */
    @ConfigMapping(prefix = "animalstore.catalogue")
    interface Config {
        @WithDefault("5s")
        @DurationMin
        @DurationMax(hours = 1)
        Duration cacheTime();

        @WithDefault("16M")
        MemorySize cacheSize();
    }

    /** A page in memory, or its query in flight. */
    private static final class Entry extends CompletableFuture<CataloguePage> {
        private final long startNanos = System.nanoTime();

        /** The one before the query. */
        private final Version version;

        Entry(Version version) {
            this.version = version;
        }

        boolean isLoaded() {
            return isDone() && !isCompletedExceptionally();
        }

        int bytes() {
            return isLoaded() ? join().body().length + ENTRY_BYTES : 0;
        }
    }
}
