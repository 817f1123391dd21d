package dev.animalstore.pet;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.animalstore.database.DatabaseBreaker;
import dev.animalstore.database.DatabaseOutage;
import dev.animalstore.pet.CatalogueVersion.Version;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Pages of the catalogue. A page comes from memory while the catalogue's version is the one before its query, or a later one that does not
 * affect the page. Otherwise it comes from one query that all requests for that page and version share. So a page shows every pet whose
 * addition was acknowledged before the request. While the version is unknown, each request queries PostgreSQL.
 *
 * <p>After the cache time a page is queried again, to find rows written by other systems. If that query fails, the cached page is served.
 */
@Singleton
class Catalogue {
    /** The size of an entry in addition to the body of its page. */
    private static final int ENTRY_BYTES = 400;

    private final Cache<Place, Entry> pages;
    private final Duration cacheTime;
    private final CatalogueReader reader;
    private final DatabaseBreaker database;
    private final Counter memoryHits;
    private final Counter databaseQueries;

    Catalogue(CatalogueConfig config, CatalogueReader reader, DatabaseBreaker database, MeterRegistry metrics) {
        this.cacheTime = config.cacheTime();
        this.reader = reader;
        this.database = database;
        pages = Caffeine.newBuilder()
                .maximumWeight(config.cacheSize().asLongValue())
                .weigher((Place place, Entry entry) -> entry.bytes())
                .executor(Infrastructure.getDefaultWorkerPool())
                .build();
        memoryHits = counter("memory", metrics);
        databaseQueries = counter("database", metrics);
        Gauge.builder("animalstore.catalogue.memory", pages, Catalogue::bytes)
                .description("Memory used by cached catalogue pages")
                .baseUnit("bytes")
                .register(metrics);
    }

    /** The page at a position, at that version or a later one. Never blocks. */
    CompletableFuture<CataloguePage> find(Place place, Optional<Version> version) {
        if (version.isEmpty() || cacheTime.isZero()) {
            return query(place);
        }
        Entry cached = pages.getIfPresent(place);
        if (cached != null && isCurrent(cached, version.get())) {
            memoryHits.increment();
            renew(place, cached, version.get());
            return cached.page();
        }
        Entry next = new Entry(version.get(), System.nanoTime(), new CompletableFuture<>(), 0);
        Entry entry = pages.asMap()
                .compute(place, (ignored, other) -> other != null && isCurrent(other, next.version()) ? other : next);
        if (entry.equals(next)) {
            var unused = query(place).whenComplete((page, failure) -> end(place, next, page, failure, cached));
        }
        return entry.page();
    }

    private boolean isCurrent(Entry entry, Version version) {
        return entry.isAt(version) && System.nanoTime() - entry.startNanos() < cacheTime.toNanos();
    }

    /** Moves a page to a later version, since a version names the latest additions only. */
    private void renew(Place place, Entry entry, Version version) {
        if (!entry.version().equals(version)) {
            pages.asMap().replace(place, entry, entry.at(version));
        }
    }

    private CompletableFuture<CataloguePage> query(Place place) {
        databaseQueries.increment();
        return CompletableFuture.completedFuture(place)
                .thenApplyAsync(reader::read, Infrastructure.getDefaultWorkerPool());
    }

    /** After an outage of the database the previous page stays, if nothing was acknowledged since. */
    private void end(Place place, Entry entry, CataloguePage page, Throwable failure, Entry before) {
        if (failure == null) {
            pages.asMap().replace(place, entry, entry.weighing(page.body().length + ENTRY_BYTES));
            entry.page().complete(page);
        } else if (before != null
                && before.isLoaded()
                && before.isAt(entry.version())
                && DatabaseOutage.caused(failure)) {
            database.recordFailure(failure);
            memoryHits.increment();
            pages.asMap().replace(place, entry, before);
            entry.page().complete(before.page().join());
        } else {
            pages.asMap().remove(place, entry);
            entry.page().completeExceptionally(failure);
        }
    }

    private static Counter counter(String source, MeterRegistry metrics) {
        return Counter.builder("animalstore.catalogue.pages")
                .description("Catalogue pages by source")
                .tag("source", source)
                .register(metrics);
    }

    private static double bytes(Cache<Place, Entry> pages) {
        return pages.policy().eviction().orElseThrow().weightedSize().orElseThrow();
    }

    /**
     * A page in memory, or its query in flight.
     *
     * @param version the version before its query
     * @param startNanos when its query started, by {@link System#nanoTime}
     * @param bytes its size; 0 while the query is in flight
     */
    private record Entry(Version version, long startNanos, CompletableFuture<CataloguePage> page, int bytes) {
        /** Whether the page, which may still be in flight, is the same at that version. */
        boolean isAt(Version current) {
            return version.equals(current)
                    || (isLoaded() && current.keeps(version, page.join().last()));
        }

        /** Whether the page is loaded. */
        boolean isLoaded() {
            return page.isDone() && !page.isCompletedExceptionally();
        }

        Entry at(Version later) {
            return new Entry(later, startNanos, page, bytes);
        }

        Entry weighing(int known) {
            return new Entry(version, startNanos, page, known);
        }
    }
}
