package dev.animalstore.gate;

import dev.animalstore.request.Caller;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.container.ContainerRequestContext;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Fails a request that Quarkus REST matched to the API although {@link GateFilter} did not recognise its path. No such path is known;
 * {@code PathSpellingTest} searches for one.
 */
final class GateBypassCheck {
    @ServerRequestFilter(nonBlocking = true)
    void verify(ContainerRequestContext request, RoutingContext exchange) {
        if (Caller.of(exchange) == null
                && ApiPath.matches(request.getUriInfo().getPath())
                && !CorsFilter.isPreflight(exchange)) {
            throw new IllegalStateException("A request bypassed the gate.");
        }
    }
}
