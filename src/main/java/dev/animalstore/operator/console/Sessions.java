package dev.animalstore.operator.console;

import dev.animalstore.input.Form;
import dev.animalstore.operator.OperatorToken;
import dev.animalstore.page.PageRequest;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import jakarta.ws.rs.ForbiddenException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;

/**
 * The sessions of operators who signed in. A session is a random identifier and an expiry, signed with the operators' token, in a cookie:
 * every replica accepts it without storing it, and none does after the token has changed.
 *
 * <p>The cookie is sent only to the console, only with same-site requests, and is not readable by scripts. Behind TLS it is sent over TLS
 * only, and its name prefix keeps pages without TLS from setting it.
 */
@Named("session")
@Singleton
class Sessions {
    static final Duration LENGTH = Duration.ofHours(8);

    private static final String SESSION = Sessions.class.getName();

    /** Of a cookie: the identifier, the expiry in seconds since 1970, and the signature. */
    private static final int PARTS = 3;

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
        setCookie(seal(UUID.randomUUID() + "." + clock.instant().plus(LENGTH).getEpochSecond()), LENGTH);
    }

    void close() {
        setCookie("", Duration.ZERO);
    }

    /** Whether the request has a session. Other applications on the host may have set cookies of that name too. */
    boolean resume() {
        return exchange.request().headers().getAll(HttpHeaders.COOKIE).stream()
                .flatMap(header -> ServerCookieDecoder.LAX.decodeAll(header).stream())
                .filter(cookie -> cookie.name().equals(cookieName()))
                .anyMatch(cookie -> resume(cookie.value()));
    }

    /** Attaches the session of a cookie to the request if it is valid: signed with this token, and not expired. */
    private boolean resume(String cookie) {
        String[] parts = cookie.split("\\.", -1);
        boolean valid = parts.length == PARTS
                && isSame(seal(parts[0] + "." + parts[1]), cookie)
                && clock.instant().isBefore(Instant.ofEpochSecond(Long.parseLong(parts[1])));
        if (valid) {
            exchange.put(SESSION, parts[0]);
        }
        return valid;
    }

    /** The CSRF token of the forms of the request's session; empty without a session. */
    public String formToken() {
        String id = exchange.get(SESSION);
        return id == null ? "" : base64(token.sign("console form " + id));
    }

    /**
     * Refuses a form without the token of the session.
     *
     * @throws ForbiddenException if the token, in the field {@code form}, is missing or of another session
     */
    void verify(Form sent) {
        if (formToken().isEmpty() || !isSame(formToken(), sent.value("form"))) {
            throw new ForbiddenException();
        }
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

    /** Depends on whether the request came over TLS, as a trusted proxy reports if there is one. */
    private String cookieName() {
        return exchange.request().isSSL() ? "__Secure-console" : "console";
    }

    private String seal(String session) {
        return session + "." + base64(token.sign("console session " + session));
    }

    /** The scheme and the host of the request, which also serve the API. */
    public String origin() {
        return exchange.request().scheme() + "://" + exchange.request().authority();
    }

    /** What a trusted proxy has removed from the path of the request. */
    public String prefix() {
        return PageRequest.prefix(exchange.request());
    }

    /** Compares in constant time. */
    private static boolean isSame(String expected, String given) {
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
