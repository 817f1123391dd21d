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
 * Pages of the catalogue: from memory as long as the catalogue's version is the one that was known before their query, or a later one that
 * keeps the page, and otherwise by a query that all requests for that page and version share. So a page shows every pet whose addition was acknowledged before the page was asked
 * for. While the version is not known, PostgreSQL is asked for each request.
 *
 * <p>After the cache time PostgreSQL is asked too, for what was written past the service. If it fails, the page is served on.
 */
@Singleton
class Catalogue {
    /** What an entry takes beside the body of its page. */
    private static final int ENTRY_BYTES = 400;

    private final Cache<Place, Entry> pages;
    private final Duration cacheTime;
    private final CatalogueReader reader;
    private final DatabaseBreaker database;
    private final Counter fromMemory;
    private final Counter fromDatabase;

    Catalogue(CatalogueConfig config, CatalogueReader reader, DatabaseBreaker database, MeterRegistry metrics) {
        this.cacheTime = config.cacheTime();
        this.reader = reader;
        this.database = database;
        pages = Caffeine.newBuilder()
                .maximumWeight(config.cacheSize().asLongValue())
                .weigher((Place place, Entry entry) -> entry.bytes())
                .executor(Infrastructure.getDefaultWorkerPool())
                .build();
        fromMemory = counter("memory", metrics);
        fromDatabase = counter("database", metrics);
        Gauge.builder("animalstore.catalogue.memory", pages, Catalogue::bytes)
                .description("What the pages of the catalogue take in memory")
                .baseUnit("bytes")
                .register(metrics);
    }

    /** The page at that place, at that version or a later one. Never blocks. */
    CompletableFuture<CataloguePage> find(Place place, Optional<Version> version) {
        if (version.isEmpty() || cacheTime.isZero()) {
            return query(place);
        }
        Entry present = pages.getIfPresent(place);
        if (present != null && isCurrent(present, version.get())) {
            fromMemory.increment();
            renew(place, present, version.get());
            return present.page();
        }
        Entry next = new Entry(version.get(), System.nanoTime(), new CompletableFuture<>(), 0);
        Entry entry = pages.asMap()
                .compute(place, (key, other) -> other != null && isCurrent(other, next.version()) ? other : next);
        if (entry.equals(next)) {
            var unused = query(place).whenComplete((page, failure) -> end(place, next, page, failure, present));
        }
        return entry.page();
    }

    private boolean isCurrent(Entry entry, Version version) {
        return entry.isAt(version) && System.nanoTime() - entry.begun() < cacheTime.toNanos();
    }

    /** A version names some additions only, so a page keeps up with it. */
    private void renew(Place place, Entry entry, Version version) {
        if (!entry.version().equals(version)) {
            pages.asMap().replace(place, entry, entry.at(version));
        }
    }

    private CompletableFuture<CataloguePage> query(Place place) {
        fromDatabase.increment();
        return CompletableFuture.completedFuture(place)
                .thenApplyAsync(reader::read, Infrastructure.getDefaultWorkerPool());
    }

    /** An outage of the database leaves the page that was there before, if nothing was acknowledged since. */
    private void end(Place place, Entry entry, CataloguePage page, Throwable failure, Entry before) {
        if (failure == null) {
            pages.asMap().replace(place, entry, entry.weighing(page.body().length + ENTRY_BYTES));
            entry.page().complete(page);
        } else if (before != null
                && before.isThere()
                && before.isAt(entry.version())
                && DatabaseOutage.caused(failure)) {
            database.recordFailure(failure);
            fromMemory.increment();
            pages.asMap().replace(place, entry, before);
            entry.page().complete(before.page().join());
        } else {
            pages.asMap().remove(place, entry);
            entry.page().completeExceptionally(failure);
        }
    }

    private static Counter counter(String source, MeterRegistry metrics) {
        return Counter.builder("animalstore.catalogue.pages")
                .description("Pages of the catalogue by where they came from")
                .tag("source", source)
                .register(metrics);
    }

    private static double bytes(Cache<Place, Entry> pages) {
        return pages.policy().eviction().orElseThrow().weightedSize().orElseThrow();
    }

    /**
     * A page in memory, or on its way there.
     *
     * @param version the version that was known before its query
     * @param begun when its query began, by {@link System#nanoTime}
     * @param bytes what it takes; 0 while it is on its way
     */
    private record Entry(Version version, long begun, CompletableFuture<CataloguePage> page, int bytes) {
        /** Whether the page, which may be on its way, is the same at that version. */
        boolean isAt(Version current) {
            return version.equals(current)
                    || (isThere() && current.keeps(version, page.join().last()));
        }

        /** Whether the page is there. */
        boolean isThere() {
            return page.isDone() && !page.isCompletedExceptionally();
        }

        Entry at(Version later) {
            return new Entry(later, begun, page, bytes);
        }

        Entry weighing(int known) {
            return new Entry(version, begun, page, known);
        }
    }
}
