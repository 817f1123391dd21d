package dev.animalstore;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The clock of the application. Whoever needs the time asks for it, so that a test can move it. It counts microseconds, as PostgreSQL
 * does, so that a time is the same before and after it was stored.
 */
final class Time {
    @Produces
    @Singleton
    Clock clock() {
        return Clock.tick(Clock.systemUTC(), Duration.of(1, ChronoUnit.MICROS));
    }
}
