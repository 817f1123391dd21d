package dev.animalstore.web.http;

import io.netty.handler.codec.DateFormatter;
import io.vertx.core.MultiMap;
import java.time.Instant;
import java.util.Date;

/**
 * The headers of what ends: the operation of a request, its key, or its secret. Whoever knows of an end announces it, and a response has the earliest
 * date of each, once.
 */
public final class Sunset {
    private static final String DEPRECATION = "Deprecation";
    private static final String SUNSET = "Sunset";

    private Sunset() {}

    /**
     * Announces that something stops working (RFC 8594).
     *
     * @param deprecated since when it should not be used (RFC 9745); {@code null} if it may be used until its end
     */
    public static void announce(MultiMap headers, Instant deprecated, Instant end) {
        String known = headers.get(SUNSET);
        if (known == null || end.isBefore(DateFormatter.parseHttpDate(known).toInstant())) {
            headers.set(SUNSET, DateFormatter.format(Date.from(end)));
        }
        String since = headers.get(DEPRECATION);
        if (deprecated != null
                && (since == null || deprecated.getEpochSecond() < Long.parseLong(since, 1, since.length(), 10))) {
            headers.set(DEPRECATION, "@" + deprecated.getEpochSecond());
        }
    }
}
