package dev.animalstore;

import io.quarkus.bootstrap.logging.InitialConfigurator;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.logging.Handler;
import org.jboss.logmanager.ExtHandler;

/** The log is UTF-8 whatever the host's locale, by which its handlers choose a charset otherwise. Quarkus has a setting for files only. */
@Singleton
final class LogCharset {
    void set(@Observes StartupEvent start) {
        set(InitialConfigurator.DELAYED_HANDLER);
    }

    private static void set(ExtHandler handler) {
        handler.setCharset(StandardCharsets.UTF_8);
        for (Handler inner : handler.getHandlers()) {
            if (inner instanceof ExtHandler further) {
                set(further);
            }
        }
    }
}
