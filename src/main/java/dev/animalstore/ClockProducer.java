package dev.animalstore;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.validation.ClockProvider;
import java.time.Clock;

/** The clock of the application. Whoever needs the time asks for it, so that a test can move it. */
final class ClockProducer {
    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    /** The clock by which constraints judge what is in the future. */
    @Produces
    @Singleton
    ClockProvider clockOfConstraints(Clock clock) {
        return () -> clock;
    }
}
