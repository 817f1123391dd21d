package dev.animalstore.operator.console;

import dev.animalstore.operator.OperatorToken;
import dev.animalstore.page.PageRequest;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sessions of operators who signed in. A session is an expiry, signed with the operators' token, in a cookie: every replica accepts it
 * without storing it, and none does after the token has changed.
 *
 * <p>The cookie is sent only to the console, only with same-site requests, and is not readable by scripts. Behind TLS it is sent over TLS
 * only, and its name prefix keeps pages without TLS from setting it. Its name has the port, since browsers send a cookie to every port of its
 * host: the consoles of two services on one host would otherwise end each other's sessions.
 */
@Named("session")
@Singleton
class Sessions {
    static final Duration LENGTH = Duration.ofHours(8);

    private static final String SESSION = Sessions.class.getName();

    /** The expiry in seconds since 1970, and its signature. */
    private static final Pattern COOKIE = Pattern.compile("([0-9]{1,12})\\.[A-Za-z0-9_-]+");

    private final OperatorToken token;
    private final Clock clock;
    private final RoutingContext exchange;

    /** @param exchange the current one of the thread that uses it */
    Sessions(OperatorToken token, Clock clock, RoutingContext exchange) {
        this.token = token;
        this.clock = clock;
        this.exchange = exchange;
    }

    /** Gives the browser the cookie of a new session. */
    void open() {
        setCookie(seal(Long.toString(clock.instant().plus(LENGTH).getEpochSecond())), LENGTH);
    }

    void close() {
        setCookie("", Duration.ZERO);
    }

    /** Attaches a session to the request if one of its cookies is valid. Other applications on the host may have set cookies of that name too. */
    boolean resume() {
        boolean valid = exchange.request().headers().getAll(HttpHeaders.COOKIE).stream()
                .flatMap(header -> ServerCookieDecoder.LAX.decodeAll(header).stream())
                .filter(cookie -> cookie.name().equals(cookieName()))
                .anyMatch(cookie -> isValid(cookie.value()));
        exchange.put(SESSION, valid);
        return valid;
    }

    /** Whether a cookie is signed with this token, and not expired. */
    private boolean isValid(String cookie) {
        Matcher parts = COOKIE.matcher(cookie);
        return parts.matches()
                && MessageDigest.isEqual(bytes(seal(parts.group(1))), bytes(cookie))
                && clock.instant().isBefore(Instant.ofEpochSecond(Long.parseLong(parts.group(1))));
    }

    /** Whether the request has a session. */
    public boolean isOpen() {
        return Boolean.TRUE.equals(exchange.get(SESSION));
    }

    private void setCookie(String value, Duration age) {
        exchange.response()
                .addCookie(Cookie.cookie(cookieName(), value)
                        .setPath(prefix() + ConsolePages.ROOT)
                        .setMaxAge(age.toSeconds())
                        .setHttpOnly(true)
                        .setSameSite(CookieSameSite.STRICT)
                        .setSecure(exchange.request().isSSL()));
    }

    /** Depends on the port, and on whether the request came over TLS, as a trusted proxy reports if there is one. */
    private String cookieName() {
        int port = exchange.request().authority().port();
        return (exchange.request().isSSL() ? "__Secure-console" : "console") + (port > 0 ? "-" + port : "");
    }

    private String seal(String expiry) {
        byte[] signature = token.sign("console session " + expiry);
        return expiry + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
    }

    /** The scheme and the host of the request, which also serve the API. */
    public String origin() {
        return exchange.request().scheme() + "://" + exchange.request().authority();
    }

    /** What a trusted proxy has removed from the path of the request. */
    public String prefix() {
        return PageRequest.prefix(exchange.request());
    }

    private static byte[] bytes(String cookie) {
        return cookie.getBytes(StandardCharsets.US_ASCII);
    }
}
