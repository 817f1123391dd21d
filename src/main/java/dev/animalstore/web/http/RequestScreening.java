package dev.animalstore.web.http;

import dev.animalstore.web.error.ApiError;
import dev.animalstore.web.error.ErrorCode;
import io.netty.handler.codec.DateFormatter;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * Identifies every request, dates its response (RFC 9110, section 6.6.1), and keeps browsers from guessing another content type of it.
 * Refuses a request before any work if a proxy may route its target elsewhere or see its end elsewhere, or if it has no address.
 */
@ApplicationScoped
public class RequestScreening {
    private static final CharSequence CONTENT_TYPE_OPTIONS = HttpHeaders.createOptimized("X-Content-Type-Options");
    private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
    private static final CharSequence REQUEST_ID = HttpHeaders.createOptimized("X-Request-Id");

    /** Without characters that a log would quote, and not a key that a client sends in the wrong header. */
    private static final Pattern HARMLESS = Pattern.compile("(?!.*ask_(?:live|test)_)[A-Za-z0-9._:-]{1,128}");

    /** A {@code .} or {@code ..} between separators, each of which may be percent-encoded. */
    private static final Pattern DOT_SEGMENT = Pattern.compile(
            "(?:^|[/\\\\]|%2f|%5c)(?:\\.|%2e){1,2}(?:$|[/\\\\;]|%2f|%5c|%3b)", Pattern.CASE_INSENSITIVE);

    private static final String NO_ADDRESS = "The request target or the Host header is malformed.";

    private final ProxyHeaders proxies;

    RequestScreening(ProxyHeaders proxies) {
        this.proxies = proxies;
    }

    void register(@Observes Router router) {
        proxies.allow(router);
        // A path that cannot be decoded fails at the first route that has a path.
        router.errorHandler(400, exchange -> refuse(exchange, ErrorCode.BAD_REQUEST, NO_ADDRESS));
        // The order of a route is the negated priority of a filter.
        router.route().order(-FilterPriorities.SCREENING).handler(this::begin).failureHandler(RequestScreening::fail);
    }

    /** The identifier of a request in logs, and in its response: the client's own if it is safe to log, otherwise a new one. */
    public static String id(RoutingContext exchange) {
        return exchange.response().headers().get(REQUEST_ID);
    }

    private void begin(RoutingContext exchange) {
        HttpServerRequest request = exchange.request();
        proxies.read(exchange);
        String fault = fault(request);
        if (fault != null) {
            refuse(exchange, ErrorCode.BAD_REQUEST, fault);
            return;
        }
        addHeaders(exchange);
        if (hasBody(request.headers())) {
            EarlyResponse.closeConnection(exchange);
        }
        if (Area.of(exchange) != Area.DOCUMENTS && Area.of(exchange) != Area.ADMIN) {
            // There is one representation (RFC 9110, section 12.5.1).
            request.headers().remove(HttpHeaders.ACCEPT);
        }
        exchange.next();
    }

    private static boolean hasBody(MultiMap headers) {
        return headers.contains(HttpHeaders.TRANSFER_ENCODING)
                || (headers.contains(HttpHeaders.CONTENT_LENGTH)
                        && !headers.contains(HttpHeaders.CONTENT_LENGTH, "0", false));
    }

    private static void addHeaders(RoutingContext exchange) {
        String given = exchange.request().headers().get(REQUEST_ID);
        exchange.response()
                .headers()
                .set(CONTENT_TYPE_OPTIONS, NOSNIFF)
                .set(HttpHeaders.DATE, DateFormatter.format(Date.from(Instant.now())))
                .set(REQUEST_ID, given != null && HARMLESS.matcher(given).matches() ? given : newId());
    }

    /** 128 random bits, which are unique but not secret. */
    private static String newId() {
        byte[] bits = new byte[16];
        ThreadLocalRandom.current().nextBytes(bits);
        return HexFormat.of().formatHex(bits);
    }

    private static String fault(HttpServerRequest request) {
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
        return hasAddress(request) ? null : NO_ADDRESS;
    }

    /**
     * Whether links can be made of the scheme, the host and the target of a request: otherwise a resource would fail at it. HAProxy asks
     * for {@code /} without a host.
     */
    private static boolean hasAddress(HttpServerRequest request) {
        HostAndPort host = request.authority();
        if (host != null
                && ("http".equals(request.scheme()) || "https".equals(request.scheme()))
                && request.uri().startsWith("/")
                && !host.host().isEmpty()
                && isPlain(host.host())
                && isPlain(request.uri())) {
            // To parse it, as what follows does, would be a twentieth of what a refusal allocates.
            return true;
        }
        try {
            return request.uri().equals("/")
                    || (request.absoluteURI() != null && new URI(request.absoluteURI()).getRawAuthority() != null);
        } catch (URISyntaxException malformed) {
            return false;
        }
    }

    /** Whether a text has only characters that are valid in the host, the path and the query of an address. */
    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each > 'z' || !(Character.isLetterOrDigit(each) || "-./=?&_".indexOf(each) >= 0)) {
                return false;
            }
        }
        return true;
    }

    private static void refuse(RoutingContext exchange, ErrorCode code, String fault) {
        addHeaders(exchange);
        EarlyResponse.closeConnection(exchange);
        new ApiError(code, fault).send(exchange.response());
    }

    /** Responds if the target or the host of a request is so malformed that Vert.x does not route it. */
    private static void fail(RoutingContext exchange) {
        switch (exchange.statusCode()) {
            case 400 -> refuse(exchange, ErrorCode.BAD_REQUEST, NO_ADDRESS);
            case 404 -> refuse(exchange, ErrorCode.NOT_FOUND, "No such path.");
            default -> exchange.next();
        }
    }
}
