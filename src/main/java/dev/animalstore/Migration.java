package dev.animalstore;

import io.quarkus.runtime.PreventFurtherStepsException;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/**
 * Ends a process that only migrates the schema, as soon as Flyway has done so and before it listens. {@code quarkus.init-and-exit} would wait
 * for another five seconds.
 */
@ApplicationScoped
class Migration {
    @ConfigMapping(prefix = "animalstore.migration")
    interface Config {
        @WithDefault("false")
        boolean only();
    }

    void end(@Observes @Priority(1) StartupEvent migrated, Config config) {
        if (config.only()) {
            Quarkus.asyncExit(0);
            throw new PreventFurtherStepsException();
        }
    }
}
