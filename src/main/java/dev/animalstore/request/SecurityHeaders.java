package dev.animalstore.request;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;

/** Response headers that protect clients in browsers and caches. */
public final class SecurityHeaders {
    private static final CharSequence CONTENT_TYPE_OPTIONS = HttpHeaders.createOptimized("X-Content-Type-Options");
    private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
    private static final CharSequence PRIVATE = HttpHeaders.createOptimized("private");

    private SecurityHeaders() {}

    /** Keeps browsers from guessing another content type. */
    public static void forbidSniffing(MultiMap response) {
        response.set(CONTENT_TYPE_OPTIONS, NOSNIFF);
    }

    /** Keeps shared caches from storing the response. */
    public static void keepPrivate(MultiMap response) {
        response.set(HttpHeaders.CACHE_CONTROL, PRIVATE);
    }
}
