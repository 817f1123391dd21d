package dev.animalstore;

import com.github.benmanes.caffeine.cache.Ticker;
import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;

/** What tells the time. It is injected wherever time decides something, so a test can let it pass. */
final class Time {
    /** Measures how much time has passed, whatever happens to the clock: {@link System#nanoTime}. */
    @Produces
    @DefaultBean
    @Singleton
    Ticker ticker() {
        return Ticker.systemTicker();
    }

    /** The clock of the host, by which a replica decides alone. All else is decided by Redis's clock and written by PostgreSQL's. */
    @Produces
    @DefaultBean
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }
}
