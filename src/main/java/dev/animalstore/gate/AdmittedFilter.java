package dev.animalstore.gate;

import dev.animalstore.http.Area;
import dev.animalstore.input.Caller;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Lets no operation outside the operators' areas run that {@link GateFilter} has not admitted, whatever its path: such a request is a 500. */
@Singleton
final class AdmittedFilter {
    @ServerRequestFilter(nonBlocking = true)
    void requireCaller(RoutingContext exchange) {
        if (!Area.of(exchange).isForOperators()) {
            Caller.of(exchange);
        }
    }
}
