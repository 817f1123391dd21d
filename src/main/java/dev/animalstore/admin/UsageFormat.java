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
 * Chooses the format of {@code GET /admin/usage} by the client's {@code Accept} (RFC 9110, section 12.5.1), JSON if both are as welcome, and
 * names it alone in the request: of two methods with one path the framework otherwise takes any for a wildcard.
 */
@ApplicationScoped
class UsageFormat {
    /** Both are matched to the operation. */
    private static final Set<String> PATHS = Set.of("/admin/usage", "/admin/usage/");

    private static final List<MediaType> FORMATS =
            List.of(MediaType.APPLICATION_JSON_TYPE, MediaType.valueOf(UsageExport.TYPE));

    /** After the filter that lets only operators pass. */
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

    /** The format that the values of {@code Accept} prefer; empty if they exclude all. */
    static Optional<MediaType> choose(List<String> accept) {
        List<MediaType> ranges = accept.stream()
                .flatMap(value -> Stream.of(value.split(",", -1)))
                .filter(range -> !range.isBlank())
                .flatMap(range -> parse(range.strip()).stream())
                .toList();
        if (ranges.isEmpty()) {
            return Optional.of(FORMATS.get(0));
        }
        // Of equals the first stays the greatest.
        return FORMATS.stream()
                .map(format -> Map.entry(format, quality(format, ranges)))
                .filter(each -> each.getValue() > 0)
                .reduce((best, each) -> each.getValue() > best.getValue() ? each : best)
                .map(Map.Entry::getKey);
    }

    /** That of the most specific range that the format is in. */
    private static double quality(MediaType format, List<MediaType> ranges) {
        return ranges.stream()
                .filter(range -> range.isCompatible(format))
                .max(Comparator.comparing((MediaType range) -> !range.isWildcardType())
                        .thenComparing(range -> !range.isWildcardSubtype()))
                .map(range -> Double.parseDouble(range.getParameters().getOrDefault("q", "1")))
                .orElse(0.0);
    }

    /** A range that is not well-formed counts for nothing. */
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
