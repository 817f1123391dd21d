package dev.animalstore.console;

import dev.animalstore.admin.ConsolePath;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/**
 * The cookie that contains a session. It is sent only to the console, only with same-site requests, and is not readable by scripts. Behind
 * TLS it is sent over TLS only, and its name prefix keeps pages without TLS from setting it.
 */
final class SessionCookie {
    private static final String NAME = "console";
    private static final String SECURE_NAME = "__Secure-console";

    private SessionCookie() {}

    /** The value of a request's cookie. */
    static Optional<String> read(HttpServerRequest request) {
        return Optional.ofNullable(request.getCookie(name(request))).map(Cookie::getValue);
    }

    /** The header that sets the cookie. */
    static String set(HttpServerRequest request, String sealed) {
        return cookie(request, sealed, Sessions.LENGTH.toSeconds());
    }

    /** The header that deletes the cookie. */
    static String delete(HttpServerRequest request) {
        return cookie(request, "", 0);
    }

    private static String cookie(HttpServerRequest request, String value, long maximumAgeSeconds) {
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

    /** As a trusted proxy reports, if there is one. */
    private static boolean isOverTls(HttpServerRequest request) {
        return "https".equals(request.scheme());
    }
}
