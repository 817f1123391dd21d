package dev.animalstore.gate;

import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ResourceInfo;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Counts, per key, the answers that carry a {@code Deprecation} header, so that an operator sees who still depends on an operation that is
 * on its way out. Only keys that do so have a counter.
 */
@ApplicationScoped
class DeprecatedUse {
    /**
     * Response filters run from the highest number to the lowest: this one after those that speak for an operation, and before
     * {@link RotatedSecrets}, which speaks for a key.
     */
    private static final int AFTER_THE_OPERATION = Priorities.ENTITY_CODER;

    private final MeterRegistry metrics;

    DeprecatedUse(MeterRegistry metrics) {
        this.metrics = metrics;
    }

    @ServerResponseFilter(priority = AFTER_THE_OPERATION)
    void count(ContainerRequestContext request, ContainerResponseContext response, ResourceInfo resource) {
        if (response.getHeaders().containsKey("Deprecation") && request.getSecurityContext() instanceof Caller caller) {
            metrics.counter(
                            "animalstore.deprecated.requests",
                            "operation",
                            resource.getResourceMethod().getName(),
                            "key",
                            Long.toString(caller.key().id()))
                    .increment();
        }
    }
}
