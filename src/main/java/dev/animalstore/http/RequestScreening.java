package dev.animalstore.http;

import dev.animalstore.error.ApiError;
import dev.animalstore.error.ErrorCode;
import io.netty.handler.codec.DateFormatter;
import io.netty.util.NetUtil;
import io.quarkus.vertx.http.runtime.ForwardedInfo;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Identifies every request, dates its response (RFC 9110, section 6.6.1), and keeps browsers from guessing another content type of it.
 *
 * <p>Refuses a request before any work if a proxy may route its target elsewhere, or if its host, port, scheme or prefix cannot be used in
 * the absolute links of a response. The host comes from the {@code Host} header or a trusted proxy, which also reports the port, the scheme
 * and the prefix; neither Quarkus nor Vert.x validates them. Netty refuses a request whose end a proxy may see elsewhere.
 */
@ApplicationScoped
public class RequestScreening {
    private static final CharSequence CONTENT_TYPE_OPTIONS = HttpHeaders.createOptimized("X-Content-Type-Options");
    private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
    private static final CharSequence REQUEST_ID = HttpHeaders.createOptimized("X-Request-Id");
    private static final int ID_BYTES = 16;
    private static final int MAXIMUM_PORT = 65_535;

    /** The present time as a header, made once per second. */
    private static volatile DateHeader date = new DateHeader(0, "");

    /** Without characters that a log would quote, and not a key that a client sends in the wrong header. */
    private static final Pattern HARMLESS = Pattern.compile("(?!.*ask_(?:live|test)_)[A-Za-z0-9._:-]{1,128}");

    /** A {@code .} or {@code ..} between separators, each of which may be percent-encoded. */
    private static final Pattern DOT_SEGMENT = Pattern.compile(
            "(?:^|[/\\\\]|%2f|%5c)(?:\\.|%2e){1,2}(?:$|[/\\\\;]|%2f|%5c|%3b)", Pattern.CASE_INSENSITIVE);

    /** The prefix of a path: segments that are not empty, without what a link or a page would have to escape. */
    private static final Pattern PREFIX = Pattern.compile("(?!.*(?://|%(?!\\p{XDigit}{2})))(?:/[\\w.~+=:@%/-]*)?");

    /** A number of at most five digits, or the first of a list. */
    private static final Pattern PORT = Pattern.compile("([1-9]\\d{0,4})(?:,.*)?");

    private static final String HOST_FAULT = "The Host header is missing or malformed.";

    void register(@Observes Router router) {
        // The order of a route is the negated priority of a filter.
        router.route()
                .order(-FilterPriorities.SCREENING)
                .handler(RequestScreening::begin)
                .failureHandler(RequestScreening::fail);
    }

    /** The identifier of a request in logs, and in its response: the client's own if it is safe to log, otherwise a new one. */
    public static String id(RoutingContext exchange) {
        return exchange.response().headers().get(REQUEST_ID);
    }

    private static void begin(RoutingContext exchange) {
        HttpServerRequest request = exchange.request();
        String fault = fault(exchange);
        if (fault != null) {
            refuse(exchange, ErrorCode.BAD_REQUEST, fault);
            return;
        }
        addHeaders(exchange);
        if (request.headers().contains(HttpHeaders.CONTENT_LENGTH)
                || request.headers().contains(HttpHeaders.TRANSFER_ENCODING)) {
            exchange.addHeadersEndHandler(ignored -> announceEnd(exchange));
            exchange.addEndHandler(ended -> endOrDropBody(exchange));
        }
        if (Area.of(exchange) != Area.DOCUMENTS && Area.of(exchange) != Area.ADMIN) {
            // There is one representation (RFC 9110, section 12.5.1).
            request.headers().remove(HttpHeaders.ACCEPT);
        }
        exchange.next();
    }

    private static void refuse(RoutingContext exchange, ErrorCode code, String fault) {
        addHeaders(exchange);
        exchange.response().headers().set(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        exchange.addEndHandler(ended -> exchange.request().connection().close());
        new ApiError(code, fault).send(exchange.response());
    }

    /** The rest of a body does not come if its client sends it on demand only, or has not sent it in time. */
    private static void announceEnd(RoutingContext exchange) {
        HttpServerRequest request = exchange.request();
        boolean late = exchange.response().getStatusCode() == ErrorCode.REQUEST_TIMEOUT.status();
        if (!request.isEnded() && (late || request.headers().contains(HttpHeaders.EXPECT))) {
            exchange.response().headers().set(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
    }

    /** Drops the rest of a body that comes behind the response: Quarkus pauses each request, and a client may send all before it reads. */
    private static void endOrDropBody(RoutingContext exchange) {
        HttpServerRequest request = exchange.request();
        if (exchange.response().headers().contains(HttpHeaders.CONNECTION, HttpHeaders.CLOSE, true)) {
            request.connection().close();
        } else if (!request.isEnded()) {
            request.handler(part -> {}).resume();
        }
    }

    private static void addHeaders(RoutingContext exchange) {
        String given = exchange.request().headers().get(REQUEST_ID);
        exchange.response()
                .headers()
                .set(CONTENT_TYPE_OPTIONS, NOSNIFF)
                .set(HttpHeaders.DATE, date())
                .set(REQUEST_ID, given != null && HARMLESS.matcher(given).matches() ? given : newId());
    }

    private static CharSequence date() {
        long second = System.currentTimeMillis() / 1000;
        DateHeader known = date;
        if (known.second() != second) {
            known = new DateHeader(second, DateFormatter.format(Date.from(Instant.ofEpochSecond(second))));
            date = known;
        }
        return known.text();
    }

    /** 128 random bits, which are unique but not secret. */
    private static String newId() {
        byte[] id = new byte[ID_BYTES];
        ThreadLocalRandom.current().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    private static String fault(RoutingContext exchange) {
        HttpServerRequest request = exchange.request();
        if (request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
                && !String.join(",", request.headers().getAll(HttpHeaders.TRANSFER_ENCODING))
                        .equalsIgnoreCase("chunked")) {
            return "The body must have no Transfer-Encoding other than chunked.";
        }
        // Quarkus makes links of the scheme and the host of an absolute target.
        String target = request.uri();
        if (!target.startsWith("/") && target.contains("://") && !target.startsWith("http://")) {
            return "The request target must be a path.";
        }
        if (hasDotSegment(request.path())) {
            return "The request target must not have a dot segment.";
        }
        HostAndPort host = request.authority();
        // Quarkus has read what a trusted proxy reports by now.
        ForwardedInfo forwarded = exchange.vertx().getOrCreateContext().getLocal(ForwardedInfo.CONTEXT_KEY);
        String port = forwarded == null ? null : request.getHeader("X-Forwarded-Port");
        if (port != null && !isPort(port)) {
            return "X-Forwarded-Port must be from 1 to 65535.";
        }
        if (host == null || !isHost(host.host()) || host.port() == 0) {
            return HOST_FAULT;
        }
        if (!"http".equals(request.scheme()) && !"https".equals(request.scheme())) {
            return "X-Forwarded-Proto must be http or https.";
        }
        String prefix = forwarded == null ? null : forwarded.getPrefix();
        return prefix == null || (PREFIX.matcher(prefix).matches() && !hasDotSegment(prefix))
                ? null
                : "X-Forwarded-Prefix must be a path.";
    }

    private static boolean hasDotSegment(String path) {
        return (path.indexOf('.') >= 0 || path.indexOf('%') >= 0)
                && DOT_SEGMENT.matcher(path).find();
    }

    private static boolean isPort(String port) {
        Matcher number = PORT.matcher(port);
        return number.matches() && Integer.parseInt(number.group(1)) <= MAXIMUM_PORT;
    }

    /** Whether links can be made of a host: a name, an IPv4 address, or an IPv6 address in brackets. */
    private static boolean isHost(String host) {
        if (host.startsWith("[")) {
            return host.indexOf('%') < 0 && NetUtil.isValidIpV6Address(host);
        }
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            if (c > '~' || !(Character.isLetterOrDigit(c) || "-._~".indexOf(c) >= 0)) {
                return false;
            }
        }
        return !host.isEmpty();
    }

    /** Responds if the target or the host of a request is so malformed that Vert.x does not route it. */
    private static void fail(RoutingContext exchange) {
        switch (exchange.statusCode()) {
            case 400 -> refuse(exchange, ErrorCode.BAD_REQUEST, HOST_FAULT);
            case 404 -> refuse(exchange, ErrorCode.NOT_FOUND, "No such path.");
            default -> exchange.next();
        }
    }

    private record DateHeader(long second, CharSequence text) {}
}
