package dev.animalstore;

import com.github.benmanes.caffeine.cache.Ticker;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** The clock that measures durations. It is injected wherever one decides something, so a test can let time pass. */
final class TickerProducer {
    /** Measures how much time has passed, whatever happens to the clock: {@link System#nanoTime}. */
    @Produces
    @Singleton
    Ticker ticker() {
        return Ticker.systemTicker();
    }
}
