package dev.animalstore.gate;

import dev.animalstore.request.Caller;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.container.ContainerRequestContext;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Ends a request that Quarkus REST has matched to the API although its path was spelled so that {@link GateFilter} took it for another. None
 * is known; {@code PathSpellingTest} looks for one.
 */
final class SecondLock {
    @ServerRequestFilter(nonBlocking = true)
    void verify(ContainerRequestContext request, RoutingContext exchange) {
        if (Caller.of(exchange) == null
                && ApiPath.matches(request.getUriInfo().getPath())
                && !CorsFilter.isPreflight(exchange)) {
            throw new IllegalStateException("A request came past the gate.");
        }
    }
}
