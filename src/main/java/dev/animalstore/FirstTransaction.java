package dev.animalstore;

import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Begins a transaction before the replica is ready: the first one of a process looks up the name of its host, which takes ten seconds if
 * no name server responds.
 */
@Singleton
final class FirstTransaction {
    void begin(@Observes StartupEvent started) {
        QuarkusTransaction.requiringNew().run(() -> {});
    }
}
