package dev.animalstore.operator.console;

import dev.animalstore.operator.Operators;
import dev.animalstore.web.page.PageRequest;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sessions of operators who signed in. A session is an expiry and the name of an operator, signed with the operator's token, in a cookie:
 * every replica accepts it without storing it, and none does after that token has changed or been removed.
 *
 * <p>The cookie is sent only to the console, from other sites only by links, and is not readable by scripts. Behind TLS it is sent over TLS
 * only, and its name prefix keeps pages without TLS from setting it. Its name has the port, since browsers send a cookie to every port of its
 * host: the consoles of two services on one host would otherwise end each other's sessions.
 */
@Singleton
class Sessions {
    static final Duration LENGTH = Duration.ofHours(8);

    /** The expiry in seconds since 1970, the operator, and the signature of both. */
    private static final Pattern COOKIE = Pattern.compile("([0-9]{1,12})\\.([a-z0-9-]+)\\.[A-Za-z0-9_-]+");

    private final Operators operators;
    private final Clock clock;

    Sessions(Operators operators, Clock clock) {
        this.operators = operators;
        this.clock = clock;
    }

    /** Gives the browser the cookie of a new session, which the request is in already. */
    void open(String operator, RoutingContext exchange) {
        operators.signIn(operator, exchange);
        long expiry = clock.instant().plus(LENGTH).getEpochSecond();
        setCookie(exchange, seal(Long.toString(expiry), operator), LENGTH);
    }

    void close(RoutingContext exchange) {
        setCookie(exchange, "", Duration.ZERO);
    }

    /** Signs in whose session one of the request's cookies is. Other applications on the host may have set cookies of that name too. */
    boolean resume(RoutingContext exchange) {
        Optional<String> operator = exchange.request().headers().getAll(HttpHeaders.COOKIE).stream()
                .flatMap(header -> ServerCookieDecoder.LAX.decodeAll(header).stream())
                .filter(cookie -> cookie.name().equals(cookieName(exchange.request())))
                .flatMap(cookie -> find(cookie.value()).stream())
                .findFirst();
        operator.ifPresent(name -> operators.signIn(name, exchange));
        return operator.isPresent();
    }

    /** The operator of a cookie, if it is signed with the operator's token, and not expired. */
    private Optional<String> find(String cookie) {
        Matcher parts = COOKIE.matcher(cookie);
        return parts.matches()
                        && MessageDigest.isEqual(bytes(seal(parts.group(1), parts.group(2))), bytes(cookie))
                        && clock.instant().isBefore(Instant.ofEpochSecond(Long.parseLong(parts.group(1))))
                ? Optional.of(parts.group(2))
                : Optional.empty();
    }

    private static void setCookie(RoutingContext exchange, String value, Duration age) {
        HttpServerRequest request = exchange.request();
        exchange.response()
                .addCookie(Cookie.cookie(cookieName(request), value)
                        .setPath(PageRequest.prefix(request) + ConsolePages.ROOT)
                        .setMaxAge(age.toSeconds())
                        .setHttpOnly(true)
                        .setSameSite(CookieSameSite.LAX)
                        .setSecure(request.isSSL()));
    }

    /** Depends on the port, and on whether the request came over TLS, as the proxy reports if there is one. */
    private static String cookieName(HttpServerRequest request) {
        int port = request.authority().port();
        return (request.isSSL() ? "__Secure-console" : "console") + (port > 0 ? "-" + port : "");
    }

    private String seal(String expiry, String operator) {
        String session = expiry + "." + operator;
        return session + "." + operators.sign(operator, "console session " + session);
    }

    private static byte[] bytes(String cookie) {
        return cookie.getBytes(StandardCharsets.US_ASCII);
    }
}
