package dev.animalstore;

import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.runtime.Application;
import io.quarkus.runtime.ApplicationLifecycleManager;
import io.quarkus.vertx.http.HttpServerStart;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.ObservesAsync;

/**
 * Makes SIGTERM, by which Kubernetes and other supervisors ask the service to end, a good end with the status 0: what
 * {@code quarkus.shutdown.*} describes has then been done. By themselves a JVM and a native executable end with 143 all the same, which looks
 * like a failure.
 *
 * <p>The status cannot be changed any more once the JVM is shutting down, other than by halting it as the last step of that. Handling the
 * signal instead would take a class of the JDK's inside. A start that fails is none of this: the hook is there once the
 * service listens.
 */
@ApplicationScoped
@IfBuildProfile("prod")
class GracefulExit {
    void prepare(@ObservesAsync HttpServerStart listening) {
        Application application = ApplicationLifecycleManager.getCurrentApplication();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> endWell(application), "termination"));
    }

    /** Beside Quarkus's own hook, which stops the service; with the status that the service chose, where it ended by itself. */
    private static void endWell(Application application) {
        application.awaitShutdown();
        Runtime.getRuntime().halt(ApplicationLifecycleManager.getExitCode());
    }
}
