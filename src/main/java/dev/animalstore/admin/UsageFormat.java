package dev.animalstore.admin;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Chooses the format of {@code GET /admin/usage} by {@code Accept} (RFC 9110, section 12.5.1), JSON if both are equally preferred, and sets
 * it as the only one in the request: otherwise the framework picks either of two methods with one path for a wildcard.
 */
@ApplicationScoped
class UsageFormat {
    /** Both are matched to the operation. */
    private static final Set<String> PATHS = Set.of("/admin/usage", "/admin/usage/");

    private static final List<MediaType> FORMATS =
            List.of(MediaType.APPLICATION_JSON_TYPE, MediaType.valueOf(UsageExport.TYPE));

    /** After the operators' authentication. */
    @ServerRequestFilter(preMatching = true, nonBlocking = true, priority = 6000)
    void choose(ContainerRequestContext request, RoutingContext exchange) {
        if (!PATHS.contains(request.getUriInfo().getPath())) {
            return;
        }
        MediaType format = choose(exchange.request().headers().getAll(HttpHeaders.ACCEPT))
                .orElseThrow(() -> new ApiException(
                        ErrorCode.NOT_ACCEPTABLE,
                        "Responses are application/json or text/csv; the Accept header excludes both."));
        request.getHeaders().putSingle(HttpHeaders.ACCEPT, format.toString());
    }

    /** The preferred format of the {@code Accept} headers; empty if they exclude both. */
    static Optional<MediaType> choose(List<String> accept) {
        List<MediaType> ranges = accept.stream()
                .flatMap(value -> Stream.of(value.split(",", -1)))
                .filter(range -> !range.isBlank())
                .flatMap(range -> parse(range.strip()).stream())
                .toList();
        if (ranges.isEmpty()) {
            return Optional.of(FORMATS.get(0));
        }
        // Of equal qualities the first one is kept.
        return FORMATS.stream()
                .map(format -> Map.entry(format, quality(format, ranges)))
                .filter(rated -> rated.getValue() > 0)
                .reduce((best, rated) -> rated.getValue() > best.getValue() ? rated : best)
                .map(Map.Entry::getKey);
    }

    /** The quality of the most specific range that contains the format. */
    private static double quality(MediaType format, List<MediaType> ranges) {
        return ranges.stream()
                .filter(range -> range.isCompatible(format))
                .max(Comparator.comparing((MediaType range) -> !range.isWildcardType())
                        .thenComparing(range -> !range.isWildcardSubtype()))
                .map(range -> Double.parseDouble(range.getParameters().getOrDefault("q", "1")))
                .orElse(0.0);
    }

    /** A malformed range is ignored. */
    private static Optional<MediaType> parse(String range) {
        try {
            MediaType type = MediaType.valueOf(range);
            boolean weighed = type.getParameters().getOrDefault("q", "1").matches("0(\\.[0-9]{0,3})?|1(\\.0{0,3})?");
            return weighed ? Optional.of(type) : Optional.empty();
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }
}
