package dev.animalstore;

import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.runtime.Application;
import io.quarkus.runtime.ApplicationLifecycleManager;
import io.quarkus.vertx.http.HttpServerStart;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.ObservesAsync;

/**
 * Makes the service exit with status 0 after SIGTERM, by which Kubernetes and other supervisors ask it to end, once the shutdown that
 * {@code quarkus.shutdown.*} describes is complete. Otherwise a JVM and a native executable exit with 143 even then, which looks like a
 * failure.
 *
 * <p>While the JVM shuts down, its status can only be changed by halting it as the last step. Handling the signal instead would need an
 * internal class of the JDK. A failed start is not affected, because the hook is added once the service listens.
 */
@ApplicationScoped
@IfBuildProfile("prod")
class GracefulExit {
    void prepare(@ObservesAsync HttpServerStart listening) {
        Application application = ApplicationLifecycleManager.getCurrentApplication();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> haltAfterShutdown(application), "termination"));
    }

    /**
     * Runs in addition to Quarkus's own hook, which stops the service. The status is the one that the service chose, if it ended without a
     * signal.
     */
    private static void haltAfterShutdown(Application application) {
        application.awaitShutdown();
        Runtime.getRuntime().halt(ApplicationLifecycleManager.getExitCode());
    }
}
