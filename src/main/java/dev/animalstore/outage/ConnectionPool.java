package dev.animalstore.outage;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalDataSource.FlushMode;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Opens the pool's connections in the background after the start. They are opened one after another, so otherwise the start would wait for
 * all of them, or the first burst of requests for those that it needs.
 */
@Singleton
final class ConnectionPool {
    void fill(@Observes StartupEvent started, AgroalDataSource database) {
        database.flush(FlushMode.FILL);
    }
}
