package dev.animalstore.web.list;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.outage.Bulkhead;
import dev.animalstore.outage.DatabaseBreaker;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.list.ListPage.Place;
import dev.animalstore.web.list.ListVersions.Version;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/**
 * Pages of lists. A page in memory has the list's version that was read before its query, and is served while that is still the version. For
 * another version, the first request queries the page, and others wait for that query. So a page shows every change that was acknowledged before
 * the request. While the version is unknown, requests for a page share the query that begins next: one runs, and one waits.
 *
 * <p>After the cache time a page is served and queried again in the background, to find rows written by other systems. After twice that time it
 * is queried first; if that fails, the page in memory is served.
 */
@Singleton
// Caffeine's class of caches with a maximum weight, which it loads by name. Quarkus registers the others that are used.
@RegisterForReflection(classNames = "com.github.benmanes.caffeine.cache.SSMW")
class PageCache {
    /** The size of an entry in addition to the body of its page. */
    private static final int ENTRY_BYTES = 400;

    /** How many run at a time (docs/scale.md). */
    private static final int MAXIMUM_QUERIES = 4;

    private final Cache<Place, Entry> pages;
    private final long cacheNanos;

    /** The places of queries without a version that run, and the results of those that begin next. Guarded by this. */
    private final Set<Place> running = new HashSet<>();

    private final Map<Place, CompletableFuture<ListPage>> waiting = new HashMap<>();
    private final Bulkhead queries;
    private final DatabaseBreaker database;
    private final Ticker ticker;
    private final Counter memoryHits;
    private final Counter databaseQueries;

    PageCache(Config config, DatabaseBreaker database, MeterRegistry metrics, Ticker ticker) {
        cacheNanos = config.cacheTime().toNanos();
        this.database = database;
        queries = new Bulkhead("pages", MAXIMUM_QUERIES, database, ticker);
        this.ticker = ticker;
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

    /** Reads a page from PostgreSQL. Blocks. */
    @ActivateRequestContext
    ListPage load(Place place) {
        return place.list().read(place);
    }

    /**
     * The page at a position. Never blocks.
     *
     * @param version the list's version at some time since the request; {@code null} if it is unknown
     */
    CompletableFuture<ListPage> find(Place place, Version version) {
        if (version == null || cacheNanos == 0) {
            return share(place);
        }
        Entry cached = pages.getIfPresent(place);
        if (cached == null || !isUsable(cached, version)) {
            return read(place, version, cached);
        }
        memoryHits.increment();
        if (isOlder(cached, cacheNanos) && cached.isRefreshed.compareAndSet(false, true)) {
            Entry next = new Entry(version, ticker.read());
            var unused = query(place).whenComplete((page, failure) -> refresh(place, cached, next, page, failure));
        }
        return cached;
    }

    /** One in flight is shared however long it takes: if it fails, the previous page is the result. */
    private boolean isUsable(Entry entry, Version version) {
        return entry.version.equals(version) && !(entry.isDone() && isOlder(entry, 2 * cacheNanos));
    }

    private boolean isOlder(Entry entry, long nanos) {
        return ticker.read() - entry.startNanos >= nanos;
    }

    private Entry read(Place place, Version version, Entry previous) {
        Entry next = new Entry(version, ticker.read());
        Entry entry = pages.asMap()
                .compute(place, (ignored, present) -> present != null && isUsable(present, version) ? present : next);
        if (entry == next) {
            var unused = query(place).whenComplete((page, failure) -> complete(place, next, page, failure, previous));
        }
        return entry;
    }

    /** Shares a query that begins after this call with all who ask for the same page until then. */
    private CompletableFuture<ListPage> share(Place place) {
        synchronized (this) {
            if (!running.add(place)) {
                return waiting.computeIfAbsent(place, ignored -> new CompletableFuture<>());
            }
        }
        CompletableFuture<ListPage> result = new CompletableFuture<>();
        run(place, result);
        return result;
    }

    private void run(Place place, CompletableFuture<ListPage> result) {
        var unused = query(place).whenComplete((page, failure) -> {
            CompletableFuture<ListPage> next;
            synchronized (this) {
                next = waiting.remove(place);
                if (next == null) {
                    running.remove(place);
                }
            }
            if (next != null) {
                run(place, next);
            }
            if (failure == null) {
                result.complete(page);
            } else {
                result.completeExceptionally(ApiException.ofShared(failure, database));
            }
        });
    }

    private CompletableFuture<ListPage> query(Place place) {
        databaseQueries.increment();
        return queries.run(() -> load(place));
    }

    /** If the query fails, the page stays, and the next request queries again. */
    private void refresh(Place place, Entry old, Entry next, ListPage page, Throwable failure) {
        if (failure == null) {
            next.complete(page);
            pages.asMap().replace(place, old, next);
        } else {
            old.isRefreshed.set(false);
            database.record(failure);
        }
    }

    /** If PostgreSQL is unavailable, the previous page is served, unless the list has changed since. */
    private void complete(Place place, Entry entry, ListPage page, Throwable failure, Entry previous) {
        if (failure == null) {
            entry.complete(page);
            // It has a weight now.
            pages.asMap().replace(place, entry, entry);
        } else if (database.isOutage(failure)
                && previous != null
                && previous.isLoaded()
                && previous.version.equals(entry.version)) {
            memoryHits.increment();
            pages.asMap().replace(place, entry, previous);
            entry.complete(previous.join());
            database.record(failure);
        } else {
            pages.asMap().remove(place, entry);
            entry.completeExceptionally(ApiException.ofShared(failure, database));
        }
    }

    /** How pages of lists are cached (docs/configuration.md). */
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
    private static final class Entry extends CompletableFuture<ListPage> {
        private final long startNanos;

        /** The one before the query. */
        private final Version version;

        /** Whether a newer one is being queried. */
        private final AtomicBoolean isRefreshed = new AtomicBoolean();

        Entry(Version version, long startNanos) {
            this.version = version;
            this.startNanos = startNanos;
        }

        boolean isLoaded() {
            return isDone() && !isCompletedExceptionally();
        }

        int bytes() {
            return isLoaded() ? join().body().length + ENTRY_BYTES : 0;
        }
    }
}
