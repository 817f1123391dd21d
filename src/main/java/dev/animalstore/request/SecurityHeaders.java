package dev.animalstore.request;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;

/** What answers say to browsers and caches for the sake of those whom the answers are for. */
public final class SecurityHeaders {
    private static final CharSequence CONTENT_TYPE_OPTIONS = HttpHeaders.createOptimized("X-Content-Type-Options");
    private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
    private static final CharSequence PRIVATE = HttpHeaders.createOptimized("private");

    private SecurityHeaders() {}

    /** The answer is of the type that it says, whatever its content looks like to a browser. */
    public static void forbidSniffing(MultiMap answer) {
        answer.set(CONTENT_TYPE_OPTIONS, NOSNIFF);
    }

    /** The answer is for the client alone: no cache may keep it for others. */
    public static void keepPrivate(MultiMap answer) {
        answer.set(HttpHeaders.CACHE_CONTROL, PRIVATE);
    }
}
