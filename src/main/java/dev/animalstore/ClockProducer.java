package dev.animalstore;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.validation.ClockProvider;
import java.time.Clock;

/** The clock of the application. It is injected wherever the time is read, so a test can set it. */
final class ClockProducer {
    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    /** The clock of constraints such as {@code @Future}. */
    @Produces
    @Singleton
    ClockProvider clockOfConstraints(Clock clock) {
        return () -> clock;
    }
}
