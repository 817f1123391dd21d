package dev.animalstore;

import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Set;

/**
 * Keeps what clients make up out of the metrics' tags. Each new method, and each path of a request that is refused before it is matched,
 * would otherwise add figures that stay in memory for good.
 */
final class MetricTags {
    private static final String OTHER = "other";

    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT");

    /** The paths of all operations, and what Micrometer puts in the place of others. */
    private static final Set<String> URIS = Set.of(
            "/v1/pets",
            "/v1/pets/{petId}",
            "/v1/store/orders",
            "/admin/keys",
            "/admin/keys/{id}",
            "/admin/keys/{id}/rotation",
            "/admin/keys/{id}/ban",
            "NOT_FOUND",
            "REDIRECTION",
            "UNKNOWN");

    @Produces
    @Singleton
    MeterFilter methods() {
        return MeterFilter.replaceTagValues("method", method -> METHODS.contains(method) ? method : OTHER);
    }

    @Produces
    @Singleton
    MeterFilter uris() {
        return MeterFilter.replaceTagValues("uri", uri -> URIS.contains(uri) ? uri : OTHER);
    }
}
