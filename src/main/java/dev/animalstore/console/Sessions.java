package dev.animalstore.console;

import dev.animalstore.operator.OperatorToken;
import dev.animalstore.request.Form;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.ForbiddenException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The sessions of operators who signed in. A session is a random identifier and an expiry, signed with the operators' token, in a cookie:
 * every replica accepts it without storing it, and none does after the token has changed.
 *
 * <p>The cookie is sent only to the console, only with same-site requests, and is not readable by scripts. Behind TLS it is sent over TLS
 * only, and its name prefix keeps pages without TLS from setting it.
 */
@Singleton
class Sessions {
    /** How long a session lasts. */
    static final Duration LENGTH = Duration.ofHours(8);

    /** The field of each form that contains the CSRF token. */
    private static final String FORM_TOKEN = "form";

    private static final String SESSION = Sessions.class.getName();
    private static final int ID_BYTES = 16;
    private static final Pattern SEALED = Pattern.compile("([A-Za-z0-9_-]{22})\\.([0-9]{1,11})\\.[A-Za-z0-9_-]{43}");

    private final OperatorToken token;
    private final Clock clock;
    private final RoutingContext exchange;

    /** @param exchange the current one of the thread that uses it */
    Sessions(OperatorToken token, Clock clock, RoutingContext exchange) {
        this.token = token;
        this.clock = clock;
        this.exchange = exchange;
    }

    /** The header that sets the cookie of a new session. */
    String open() {
        byte[] id = new byte[ID_BYTES];
        new SecureRandom().nextBytes(id);
        return cookie(seal(base64(id) + "." + clock.instant().plus(LENGTH).getEpochSecond()), LENGTH);
    }

    /** The header that deletes the cookie. */
    String close() {
        return cookie("", Duration.ZERO);
    }

    /** Whether the request has a session. Other applications on the host may have set cookies of that name too. */
    boolean resume() {
        String prefix = cookieName() + "=";
        return exchange.request().headers().getAll(HttpHeaders.COOKIE).stream()
                .flatMap(header -> Stream.of(header.split(";", -1)))
                .map(String::strip)
                .filter(cookie -> cookie.startsWith(prefix))
                .anyMatch(cookie -> resume(cookie.substring(prefix.length())));
    }

    /** Attaches the session of a cookie to the request if it is valid: signed with this token, and not expired. */
    private boolean resume(String cookie) {
        Matcher parts = SEALED.matcher(cookie);
        boolean valid = parts.matches()
                && isSame(seal(parts.group(1) + "." + parts.group(2)), cookie)
                && clock.instant().isBefore(Instant.ofEpochSecond(Long.parseLong(parts.group(2))));
        if (valid) {
            exchange.put(SESSION, parts.group(1));
        }
        return valid;
    }

    /** The CSRF token of the forms of the request's session; empty without a session. */
    Optional<String> formToken() {
        return Optional.<String>ofNullable(exchange.get(SESSION)).map(id -> base64(token.sign("console form " + id)));
    }

    /**
     * Refuses a form without the token of the session.
     *
     * @throws ForbiddenException if the token is missing or of another session
     */
    void verify(Form form) {
        if (formToken()
                .filter(expected -> isSame(expected, form.text(FORM_TOKEN)))
                .isEmpty()) {
            throw new ForbiddenException();
        }
    }

    private String cookie(String value, Duration age) {
        return Cookie.cookie(cookieName(), value)
                .setPath(ConsolePages.ROOT)
                .setMaxAge(age.toSeconds())
                .setHttpOnly(true)
                .setSameSite(CookieSameSite.STRICT)
                .setSecure(isOverTls())
                .encode();
    }

    private String cookieName() {
        return isOverTls() ? "__Secure-console" : "console";
    }

    /** As a trusted proxy reports, if there is one. */
    private boolean isOverTls() {
        return "https".equals(exchange.request().scheme());
    }

    private String seal(String session) {
        return session + "." + base64(token.sign("console session " + session));
    }

    /** Compares in constant time. */
    private static boolean isSame(String expected, String given) {
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
