package dev.animalstore.console;

import dev.animalstore.admin.ConsolePath;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/**
 * The cookie that holds a session: for the console's pages alone, sent by requests from them alone, and out of reach of scripts. Behind TLS it
 * is sent over TLS alone, and its name keeps pages without TLS from setting it.
 */
final class SessionCookie {
    private static final String NAME = "console";
    private static final String SECURE_NAME = "__Secure-console";

    private SessionCookie() {}

    /** The text in the cookie of a request. */
    static Optional<String> read(HttpServerRequest request) {
        return Optional.ofNullable(request.getCookie(name(request))).map(Cookie::getValue);
    }

    /** The header that gives a browser the cookie. */
    static String give(HttpServerRequest request, String sealed) {
        return make(request, sealed, Sessions.LENGTH.toSeconds());
    }

    /** The header that takes it away. */
    static String take(HttpServerRequest request) {
        return make(request, "", 0);
    }

    private static String make(HttpServerRequest request, String value, long maximumAgeSeconds) {
        return Cookie.cookie(name(request), value)
                .setPath(ConsolePath.ROOT)
                .setMaxAge(maximumAgeSeconds)
                .setHttpOnly(true)
                .setSameSite(CookieSameSite.STRICT)
                .setSecure(isOverTls(request))
                .encode();
    }

    private static String name(HttpServerRequest request) {
        return isOverTls(request) ? SECURE_NAME : NAME;
    }

    /** As a trusted proxy says, if there is one. */
    private static boolean isOverTls(HttpServerRequest request) {
        return "https".equals(request.scheme());
    }
}
