package dev.animalstore.web.http;

import dev.animalstore.web.FilterPriorities;
import dev.animalstore.web.error.ApiError;
import dev.animalstore.web.error.ErrorCode;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.MIMEHeader;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * Identifies every request before anything of it is parsed: its response has an identifier, a date (RFC 9110, section 6.6.1), no content type
 * that a browser guesses, and is kept by no shared cache. Refuses a request before any work if a proxy may route its target elsewhere or see its
 * end elsewhere. Responds if a request fails outside of Quarkus REST.
 *
 * <p>Outside of the {@link Area}s of the engine only the date is added, and only the refusals hold, and the end of a connection whose request was not
 * read: what proxies do comes before any area.
 */
@ApplicationScoped
public class RequestScreening {
    private static final CharSequence CONTENT_TYPE_OPTIONS = HttpHeaders.createOptimized("X-Content-Type-Options");
    private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
    private static final CharSequence PRIVATE = HttpHeaders.createOptimized("private");
    private static final CharSequence REQUEST_ID = HttpHeaders.createOptimized("X-Request-Id");

    /** Without characters that a log would quote, and not a key that a client sends in the wrong header. */
    private static final Pattern HARMLESS = Pattern.compile("(?!.*_(?:live|test)_)[A-Za-z0-9._:-]{1,128}");

    /** A {@code .} or {@code ..} between separators, each of which may be percent-encoded. */
    private static final Pattern DOT_SEGMENT = Pattern.compile(
            "(?:^|[/\\\\]|%2f|%5c)(?:\\.|%2e){1,2}(?:$|[/\\\\;]|%2f|%5c|%3b)", Pattern.CASE_INSENSITIVE);

    private static final Pattern MALFORMED_PERCENT = Pattern.compile("%(?![0-9A-Fa-f]{2})");

    private static final String NO_ADDRESS = "The request target or the Host header is malformed.";

    private final ProxyHeaders proxies;
    private final AuthorizePath authorize;

    RequestScreening(ProxyHeaders proxies, AuthorizePath authorize) {
        this.proxies = proxies;
        this.authorize = authorize;
    }

    void register(@Observes Router router) {
        proxies.allow(router);
        // A path that cannot be decoded fails at the first route that has a path.
        router.errorHandler(400, exchange -> {
            if (Area.of(exchange) == Area.NONE) {
                refuseOutside(exchange);
            } else {
                refuse(exchange, new ApiError(ErrorCode.BAD_REQUEST, NO_ADDRESS));
            }
        });
        // The order of a route is the negated priority of a filter.
        router.route().order(-FilterPriorities.IDENTITY).handler(this::identify).failureHandler(RequestScreening::fail);
        router.route().order(-FilterPriorities.SCREENING).handler(RequestScreening::screen);
    }

    /** The identifier of a request in logs, and in its response: the client's own if it is safe to log, otherwise a new one. */
    public static String id(RoutingContext exchange) {
        return exchange.response().headers().get(REQUEST_ID);
    }

    private void identify(RoutingContext exchange) {
        if (Area.of(exchange) == Area.NONE) {
            addDate(exchange);
        } else {
            addHeaders(exchange);
        }
        proxies.read(exchange);
        if (authorize.isAsked(exchange)) {
            // No filter of CORS, Quarkus's neither, responds 200 to a preflight here, which a proxy would take for an
            // admission.
            exchange.request().headers().remove(HttpHeaders.ORIGIN);
        }
        exchange.next();
    }

    private static void screen(RoutingContext exchange) {
        MultiMap headers = exchange.request().headers();
        String fault = fault(exchange);
        if (fault != null) {
            refuse(exchange, new ApiError(ErrorCode.BAD_REQUEST, fault));
            return;
        }
        if (hasBody(headers)) {
            EarlyResponse.closeConnection(exchange);
        }
        Area area = Area.of(exchange);
        if (area == Area.DOCUMENTS) {
            addHeadersOfDocuments(exchange);
            chooseDocument(exchange);
        } else if (area == Area.API || area == Area.CONSOLE) {
            // There is one representation (RFC 9110, section 12.5.1).
            headers.remove(HttpHeaders.ACCEPT);
        }
        if (area != Area.NONE) {
            readQuery(exchange);
        }
        exchange.next();
    }

    /**
     * Swagger UI's files have no version in their names, and would be kept for a day: a cache asks for them again, at the cost of a 304. Pages of
     * any origin may read the OpenAPI document. Quarkus's own filters would compare each request with a pattern.
     */
    private static void addHeadersOfDocuments(RoutingContext exchange) {
        MultiMap headers = exchange.response().headers().set(HttpHeaders.CACHE_CONTROL, "no-cache");
        if (exchange.normalizedPath().startsWith("/q/openapi")) {
            headers.set(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, "*").set(HttpHeaders.VARY, HttpHeaders.ACCEPT);
        }
    }

    /** Names the preferred type of the OpenAPI document only, since its handler looks for the text of one in the header. */
    private static void chooseDocument(RoutingContext exchange) {
        MultiMap headers = exchange.request().headers();
        String accepted = String.join(",", headers.getAll(HttpHeaders.ACCEPT)).toLowerCase(Locale.ROOT);
        headers.set(HttpHeaders.ACCEPT, accepted);
        Optional<String> preferred = exchange.parsedHeaders().accept().stream()
                .filter(type -> type.weight() > 0)
                .map(MIMEHeader::subComponent)
                .filter(type -> type.equals("*") || type.endsWith("yaml") || type.endsWith("json"))
                .findFirst();
        boolean isJson = preferred.filter(type -> type.endsWith("json")).isPresent();
        headers.set(HttpHeaders.ACCEPT, isJson ? MediaType.APPLICATION_JSON : "*/*");
    }

    private static boolean hasBody(MultiMap headers) {
        return headers.contains(HttpHeaders.TRANSFER_ENCODING)
                || (headers.contains(HttpHeaders.CONTENT_LENGTH)
                        && !headers.contains(HttpHeaders.CONTENT_LENGTH, "0", false));
    }

    private static void addDate(RoutingContext exchange) {
        exchange.response().headers().set(HttpHeaders.DATE, DateFormatter.format(Date.from(Instant.now())));
    }

    /** Adds the headers that every response has. */
    public static void addHeaders(RoutingContext exchange) {
        addDate(exchange);
        String given = exchange.request().headers().get(REQUEST_ID);
        exchange.response()
                .headers()
                .set(HttpHeaders.CACHE_CONTROL, PRIVATE)
                .set(CONTENT_TYPE_OPTIONS, NOSNIFF)
                .set(REQUEST_ID, given != null && HARMLESS.matcher(given).matches() ? given : newId());
    }

    /** 128 random bits, which are unique but not secret. */
    private static String newId() {
        byte[] bits = new byte[16];
        ThreadLocalRandom.current().nextBytes(bits);
        return HexFormat.of().formatHex(bits);
    }

    private static String fault(RoutingContext exchange) {
        HttpServerRequest request = exchange.request();
        if (request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
                && !String.join(",", request.headers().getAll(HttpHeaders.TRANSFER_ENCODING))
                        .equalsIgnoreCase("chunked")) {
            return "The body must have no Transfer-Encoding other than chunked.";
        }
        String path = request.path();
        if ((path.indexOf('.') >= 0 || path.indexOf('%') >= 0)
                && DOT_SEGMENT.matcher(path).find()) {
            return "The request target must not have a dot segment.";
        }
        // HAProxy asks for "/" without a host.
        boolean hasHost = path.equals("/") || ProxyHeaders.isHost(request.authority());
        return hasHost && !hasMalformedPercent(path) ? null : NO_ADDRESS;
    }

    /** Browsers send a percent sign that encodes nothing as it is. Vert.x refuses such a query, and then has no parameters of it. */
    private static void readQuery(RoutingContext exchange) {
        HttpServerRequest request = exchange.request();
        if (request.query() != null && hasMalformedPercent(request.query())) {
            try {
                exchange.queryParams();
            } catch (HttpException refused) {
                String encoded = MALFORMED_PERCENT.matcher(request.uri()).replaceAll("%25");
                new QueryStringDecoder(encoded).parameters().forEach(exchange.queryParams()::add);
            }
        }
    }

    private static boolean hasMalformedPercent(String text) {
        return text.indexOf('%') >= 0 && MALFORMED_PERCENT.matcher(text).find();
    }

    private static void refuse(RoutingContext exchange, ApiError error) {
        addHeaders(exchange);
        EarlyResponse.closeConnection(exchange);
        error.send(exchange.response());
    }

    /** As Vert.x does. */
    private static void refuseOutside(RoutingContext exchange) {
        exchange.response().setStatusCode(400).end("Bad Request");
    }

    /** Responds if Vert.x does not route a request, since its target or host is malformed, or if a handler outside of Quarkus REST fails. */
    private static void fail(RoutingContext exchange) {
        int status = exchange.statusCode();
        boolean outside = Area.of(exchange) == Area.NONE;
        if (exchange.response().headWritten() || (outside && status != 400)) {
            exchange.next();
        } else if (outside) {
            refuseOutside(exchange);
        } else if (status == 400) {
            refuse(exchange, new ApiError(ErrorCode.BAD_REQUEST, NO_ADDRESS));
        } else if (status == 404) {
            refuse(exchange, new ApiError(ErrorCode.NOT_FOUND, "No such path."));
        } else if (status == 500) {
            refuse(exchange, ApiError.ofDefect(exchange.failure(), ErrorCode.INTERNAL_ERROR.value(), status));
        } else {
            exchange.next();
        }
    }
}
