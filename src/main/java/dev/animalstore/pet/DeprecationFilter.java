package dev.animalstore.pet;

import dev.animalstore.request.Caller;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.handler.codec.DateFormatter;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.UriInfo;
import java.util.Date;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Adds to responses of a deprecated operation since when it is deprecated, until when it works and what replaces it, on errors too, and
 * counts its use per caller, so that operators see who still depends on it. Only such callers have a counter.
 */
@ApplicationScoped
class DeprecationFilter {
    private final String deprecation;
    private final String sunset;
    private final MeterRegistry metrics;

    DeprecationFilter(DeprecationConfig deprecationConfig, MeterRegistry metrics) {
        deprecation = "@" + deprecationConfig.deprecatedSince().getEpochSecond();
        sunset = DateFormatter.format(Date.from(deprecationConfig.sunset()));
        this.metrics = metrics;
    }

    @DeprecatedOperation
    @ServerResponseFilter
    void announce(ContainerResponseContext response, UriInfo uri, ResourceInfo operation, RoutingContext exchange) {
        // Headers of a rotated secret give way to those of the operation.
        exchange.response().headers().remove("Deprecation").remove("Sunset");
        MultivaluedMap<String, Object> headers = response.getHeaders();
        headers.putSingle("Deprecation", deprecation);
        headers.putSingle("Sunset", sunset);
        headers.putSingle(
                HttpHeaders.LINK,
                "<" + uri.getBaseUriBuilder().path(PetResource.class).build() + ">; rel=\"successor-version\"");
        String name = operation.getResourceMethod().getName();
        metrics.counter("animalstore.deprecated.requests", "operation", name, "key", Caller.of(exchange))
                .increment();
    }
}
