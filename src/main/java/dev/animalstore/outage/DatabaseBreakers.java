package dev.animalstore.outage;

import com.arjuna.ats.arjuna.utils.Utility;
import io.agroal.api.AgroalDataSource;
import io.quarkus.agroal.DataSource;
import io.quarkus.arc.InjectableInstance;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Default;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;

/** One breaker for the engine's datasource, and one for the default datasource, which a service may have for its own data. */
@Singleton
class DatabaseBreakers {
    @Produces
    @Singleton
    @DataSource("metering")
    DatabaseBreaker ofMetering(@DataSource("metering") AgroalDataSource database, ScheduledExecutorService executor) {
        return new DatabaseBreaker(database, executor);
    }

    @Produces
    @Singleton
    DatabaseBreaker ofService(
            @Default InjectableInstance<AgroalDataSource> database, ScheduledExecutorService executor) {
        return new DatabaseBreaker(database.listActive().stream().findFirst().orElse(null), executor);
    }

    /**
     * The first transaction asks name servers for the host's name, for ten seconds if none responds. Others do without it meanwhile. The
     * identifier of the process comes first, since it would wait for the same lock.
     */
    void findHostName(@Observes @Priority(2) StartupEvent start) {
        var hostName = new FutureTask<>(() -> Utility.getpid() < 0 ? null : Utility.hostInetAddr());
        new Thread(hostName, "host-name").start();
    }
}
