package dev.animalstore.metering.gate;

import dev.animalstore.web.FilterPriorities;
import dev.animalstore.web.http.Area;
import dev.animalstore.web.http.Caller;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.PermitAll;
import jakarta.inject.Singleton;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.SimpleResourceInfo;

/**
 * Lets no operation run that {@link GateFilter} has not admitted, whatever its path, except those of operators and what is public: such a
 * request is a 500.
 */
@Singleton
final class AdmittedFilter {
    @ServerRequestFilter(nonBlocking = true, priority = FilterPriorities.ADMITTED)
    void requireCaller(SimpleResourceInfo resource, RoutingContext exchange) {
        if (!Area.of(exchange).isForOperators() && !resource.getResourceClass().isAnnotationPresent(PermitAll.class)) {
            Caller.of(exchange);
        }
    }
}
