package dev.animalstore;

import com.github.benmanes.caffeine.cache.Ticker;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;

/** The clocks of the application. They are injected wherever the time decides something, so a test can set it. */
final class ClockProducer {
    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    /** Measures how much time has passed, whatever happens to the clock: {@link System#nanoTime}. */
    @Produces
    @Singleton
    Ticker ticker() {
        return Ticker.systemTicker();
    }
}
