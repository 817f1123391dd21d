package dev.animalstore.request;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** The identifier of a request in logs: the client's own if it is safe to log, otherwise a new one. */
public final class RequestId {
    private static final CharSequence HEADER = HttpHeaders.createOptimized("X-Request-Id");
    private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

    private RequestId() {}

    /** The identifier of a request, which the response returns in {@code X-Request-Id}. */
    public static String take(RoutingContext exchange) {
        String given = exchange.request().headers().get(HEADER);
        String id = given != null && HARMLESS.matcher(given).matches() ? given : make();
        exchange.response().headers().set(HEADER, id);
        return id;
    }

    /** 128 random bits, which are unique but not secret. */
    private static String make() {
        HexFormat hex = HexFormat.of();
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
    }
}
