package dev.animalstore.request;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** The name by which a request is found in logs: the one that its sender gave it, where that is harmless, else a new one. */
public final class RequestId {
    private static final CharSequence HEADER = HttpHeaders.createOptimized("X-Request-Id");
    private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

    private RequestId() {}

    /** The identifier of a request, which its answer will repeat in {@code X-Request-Id}. */
    public static String take(RoutingContext exchange) {
        String given = exchange.request().headers().get(HEADER);
        String id = given != null && HARMLESS.matcher(given).matches() ? given : make();
        exchange.response().headers().set(HEADER, id);
        return id;
    }

    /** Not a secret: 128 bits that will not come again. */
    private static String make() {
        HexFormat hex = HexFormat.of();
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
    }
}
