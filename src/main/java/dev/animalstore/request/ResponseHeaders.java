package dev.animalstore.request;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** Headers of every response. */
public final class ResponseHeaders {
    private static final CharSequence CONTENT_TYPE_OPTIONS = HttpHeaders.createOptimized("X-Content-Type-Options");
    private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
    private static final CharSequence REQUEST_ID = HttpHeaders.createOptimized("X-Request-Id");
    private static final int ID_BYTES = 16;
    private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

    private ResponseHeaders() {}

    /** Keeps browsers from guessing another content type. */
    public static void forbidSniffing(MultiMap response) {
        response.set(CONTENT_TYPE_OPTIONS, NOSNIFF);
    }

    /** Returns the identifier of a request in logs, and in its response: the client's own if it is safe to log, otherwise a new one. */
    public static String identify(RoutingContext exchange) {
        String given = exchange.request().headers().get(REQUEST_ID);
        String id = given != null && HARMLESS.matcher(given).matches() ? given : newId();
        exchange.response().headers().set(REQUEST_ID, id);
        return id;
    }

    /** 128 random bits, which are unique but not secret. */
    private static String newId() {
        byte[] id = new byte[ID_BYTES];
        ThreadLocalRandom.current().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }
}
