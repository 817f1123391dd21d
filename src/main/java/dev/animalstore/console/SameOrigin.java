package dev.animalstore.console;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/** Whether a form comes from a page of the console, according to headers that other pages cannot forge. */
final class SameOrigin {
    private static final String FETCH_SITE = "Sec-Fetch-Site";
    private static final String SAME = "same-origin";

    private SameOrigin() {}

    /**
     * Checks {@code Sec-Fetch-Site}, which browsers send to trustworthy addresses, or {@code Origin} if it is absent. A request with
     * neither is refused.
     */
    static boolean sent(HttpServerRequest request) {
        String site = request.getHeader(FETCH_SITE);
        return site == null ? isOwn(request, request.getHeader(HttpHeaders.ORIGIN)) : site.equals(SAME);
    }

    private static boolean isOwn(HttpServerRequest request, String origin) {
        return (request.scheme() + "://" + request.authority()).equalsIgnoreCase(origin);
    }
}
