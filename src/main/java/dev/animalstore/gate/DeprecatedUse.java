package dev.animalstore.gate;

import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
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
    /** Response filters run from the highest number to the lowest; this one reads what the others wrote. */
    private static final int LAST = 0;

    private final MeterRegistry metrics;

    DeprecatedUse(MeterRegistry metrics) {
        this.metrics = metrics;
    }

    @ServerResponseFilter(priority = LAST)
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
