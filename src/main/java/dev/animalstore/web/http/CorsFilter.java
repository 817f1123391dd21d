package dev.animalstore.web.http;

import dev.animalstore.web.FilterPriorities;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.smallrye.config.ConfigMapping;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.validation.constraints.Pattern;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Lets pages of the configured origins use the API from a browser (CORS in the Fetch standard). It responds to preflights, and adds the
 * CORS headers before a response, so errors have them too. A request of another origin gets its normal response without these
 * headers, and the browser hides it from the page. Quarkus's filter refuses without a body, allows credentials, and
 * responds 500 to another origin whose query has <code>{</code>; Vert.x's handler refuses the service's own origin.
 */
@ApplicationScoped
public class CorsFilter {
    private static final String ANY = "*";
    private static final String ORIGIN = "\\s*(\\*|[A-Za-z][A-Za-z0-9+.-]*://[A-Za-z0-9._~\\[\\]:-]+)\\s*";
    private static final String NO_ORIGIN = "must be * or origins without a path, such as https://app.example";
    private static final String METHODS = "GET,HEAD,POST,PUT,PATCH,DELETE";

    /** How long a browser may cache a preflight: 2 h. Browsers have their own maximum. */
    private static final String MAX_AGE = "7200";

    /** Response headers that a page may read, in addition to those that every page may. */
    private static final String EXPOSED = "X-RateLimit-Limit,X-RateLimit-Remaining,X-RateLimit-Reset,RateLimit-Policy,"
            + "RateLimit,Retry-After,WWW-Authenticate,Date,ETag,Link,Location,Allow,Deprecation,Sunset,"
            + "Idempotency-Replayed,X-Request-Id";

    private final List<String> origins;

    CorsFilter(Config config) {
        origins = config.origins().orElse(List.of()).stream()
                .map(CorsFilter::canonical)
                .toList();
    }

    /** An origin as browsers send it: in lower case, without a default port. */
    private static String canonical(String origin) {
        return origin.strip().toLowerCase(Locale.ROOT).replaceFirst("^(?:(http:.*):80|(https:.*):443)$", "$1$2");
    }

    /** Whether a request is a preflight, which cannot carry a key. */
    public static boolean isPreflight(HttpServerRequest request) {
        return request.method().equals(HttpMethod.OPTIONS)
                && request.headers().contains(HttpHeaders.ORIGIN)
                && request.headers().contains(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD);
    }

    void register(@Observes Filters filters) {
        if (!origins.isEmpty()) {
            filters.register(this::allow, FilterPriorities.CORS);
            filters.register(this::respond, FilterPriorities.PREFLIGHT);
        }
    }

    /** Responds to a preflight of an origin that may read the response. */
    private void respond(RoutingContext exchange) {
        HttpServerRequest request = exchange.request();
        if (Area.of(exchange) != Area.API
                || !isPreflight(request)
                || !exchange.response().headers().contains(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN)) {
            exchange.next();
            return;
        }
        String asked = request.getHeader(HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS);
        exchange.response()
                .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, METHODS)
                .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, asked == null ? "" : asked)
                .putHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, MAX_AGE)
                .setStatusCode(204)
                .end();
    }

    /** Adds the headers of a response that the request's origin may read. */
    private void allow(RoutingContext exchange) {
        if (Area.of(exchange) == Area.API) {
            addHeaders(exchange);
        }
        exchange.next();
    }

    private void addHeaders(RoutingContext exchange) {
        MultiMap response = exchange.response().headers();
        String origin = exchange.request().getHeader(HttpHeaders.ORIGIN);
        boolean any = origins.contains(ANY);
        if (!any) {
            response.add(HttpHeaders.VARY, HttpHeaders.ORIGIN);
        }
        if (origin != null && (any || origins.contains(origin))) {
            response.set(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, any ? ANY : origin);
            response.set(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        }
    }

    /** Which web pages may use the API from a browser. A key that a page holds can be read by every visitor of the page. */
    @ConfigMapping(prefix = "animalstore.cors")
    interface Config {
        /** The origins of those pages, such as {@code https://app.example}, or {@code *} for all. None if absent. */
        Optional<List<@Pattern(regexp = ORIGIN, message = NO_ORIGIN) String>> origins();
    }
}
