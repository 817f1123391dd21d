package dev.animalstore.database;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalDataSource.FlushMode;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Makes the pool's connections in the background once the service has started. They are made one after another, so that the start would
 * wait for all of them, and the first burst of requests for those that it needs.
 */
@Singleton
final class ConnectionPool {
    void fill(@Observes StartupEvent started, AgroalDataSource database) {
        database.flush(FlushMode.FILL);
    }
}
