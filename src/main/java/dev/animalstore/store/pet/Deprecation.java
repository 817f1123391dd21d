package dev.animalstore.store.pet;

import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.http.Sunset;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.validation.constraints.Past;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.UriInfo;
import java.time.Instant;

/**
 * The deprecation of {@code getPet}. Its responses show since when it is deprecated, until when it works and what replaces it. Its use is
 * counted; the request log names the callers. Created at the start, since alerts compare the date with the time.
 */
@Startup
@Singleton
final class Deprecation {
    private static final String OPERATION = "getPet";

    private final Config config;
    private final Counter requests;

    Deprecation(Config config, MeterRegistry metrics) {
        this.config = config;
        requests = Counter.builder("animalstore.deprecated.requests")
                .description("Requests to deprecated operations")
                .tag("operation", OPERATION)
                .register(metrics);
        Gauge.builder("animalstore.deprecated.sunset", config, of -> of.sunset().getEpochSecond())
                .description("When a deprecated operation is to be removed, since 1970")
                .baseUnit("seconds")
                .tag("operation", OPERATION)
                .register(metrics);
    }

    /**
     * Adds the headers to an exchange, so that errors have them too, and counts its use.
     *
     * @throws ApiException {@code gone} if the operation is removed
     */
    void announce(UriInfo uri, RoutingContext exchange) {
        String list = uri.getBaseUriBuilder().path(PetResource.class).build().toString();
        Sunset.announce(exchange.response().headers(), config.deprecatedSince(), config.sunset());
        exchange.response().putHeader(HttpHeaders.LINK, "<" + list + ">; rel=\"successor-version\"");
        requests.increment();
        if (isRemoved()) {
            throw new ApiException(PetError.GONE, "This operation has been removed; list pets instead.");
        }
    }

    boolean isRemoved() {
        return config.removed();
    }

    /** The dates are reported to clients; only {@link #removed()} changes the behaviour (docs/configuration.md). */
    @ConfigMapping(prefix = "animalstore.get-pet")
    interface Config {
        @WithDefault("2025-12-05T00:00:00Z")
        @Past
        Instant deprecatedSince();

        @WithDefault("2030-12-05T00:00:00Z")
        Instant sunset();

        @WithDefault("false")
        boolean removed();
    }
}
