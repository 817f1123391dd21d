package dev.animalstore.gate;

import dev.animalstore.request.Caller;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.container.ContainerRequestContext;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** What Quarkus REST sees of the {@link Gate}. */
final class GateFilter {
    /** A request that failed at the gate fails here, where it is answered as every failure is. */
    @ServerRequestFilter(preMatching = true, nonBlocking = true)
    void passOn(RoutingContext exchange) throws Throwable {
        Admission admission = Admission.of(exchange);
        if (admission != null && admission.failure() != null) {
            throw admission.failure();
        }
    }

    /** A second lock: should a path ever be spelled so that it leads to the API and not to the gate, it ends here. */
    @ServerRequestFilter(nonBlocking = true)
    void verify(ContainerRequestContext request, RoutingContext exchange) {
        if (Caller.of(exchange) == null
                && ApiPath.matches(request.getUriInfo().getPath())
                && !CrossOrigin.isPreflight(exchange)) {
            throw new IllegalStateException("A request came past the gate.");
        }
    }
}
