package dev.animalstore.pet;

import dev.animalstore.request.Caller;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.handler.codec.DateFormatter;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.UriInfo;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Instant;
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

    DeprecationFilter(Config config, MeterRegistry metrics) {
        deprecation = "@" + config.deprecatedSince().getEpochSecond();
        sunset = DateFormatter.format(Date.from(config.sunset()));
        this.metrics = metrics;
    }

    @DeprecatedOperation
    @ServerResponseFilter
    void announce(ContainerResponseContext response, UriInfo uri, RoutingContext exchange) {
        // Headers of a rotated secret give way to those of the operation.
        exchange.response().headers().remove("Deprecation").remove("Sunset");
        MultivaluedMap<String, Object> headers = response.getHeaders();
        headers.putSingle("Deprecation", deprecation);
        headers.putSingle("Sunset", sunset);
        headers.putSingle(
                HttpHeaders.LINK,
                "<" + uri.getBaseUriBuilder().path(PetResource.class).build() + ">; rel=\"successor-version\"");
        metrics.counter("animalstore.deprecated.requests", "operation", "getPet", "key", Caller.of(exchange))
                .increment();
    }

    /** Marks a deprecated operation. */
    @NameBinding
    @Retention(RetentionPolicy.RUNTIME)
    @interface DeprecatedOperation {}

    /** The deprecation of {@code getPet}. The dates are reported to clients; only {@link #removed()} changes the behaviour. */
    @ConfigMapping(prefix = "animalstore.get-pet")
    interface Config {
        /** Since when the operation is deprecated: the {@code Deprecation} header (RFC 9745). */
        @WithDefault("2025-12-05T00:00:00Z")
        Instant deprecatedSince();

        /** When the operation is to be removed: the {@code Sunset} header (RFC 8594). It still works until {@link #removed()} is set. */
        @WithDefault("2030-12-05T00:00:00Z")
        Instant sunset();

        /** Whether the operation is removed and responds with 410. Set it when the metrics show no more calls. */
        @WithDefault("false")
        boolean removed();
    }
}
