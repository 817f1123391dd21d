package dev.animalstore.gate;

import dev.animalstore.quota.Decision;
import dev.animalstore.quota.Window;
import io.netty.util.AsciiString;
import io.vertx.core.MultiMap;

/**
 * A decision as headers: {@code X-RateLimit-*} for the window that binds, and the fields of draft-ietf-httpapi-ratelimit-headers for both.
 */
final class QuotaHeaders {
    private static final CharSequence LIMIT = AsciiString.cached("X-RateLimit-Limit");
    private static final CharSequence REMAINING = AsciiString.cached("X-RateLimit-Remaining");
    private static final CharSequence RESET = AsciiString.cached("X-RateLimit-Reset");
    private static final CharSequence POLICY = AsciiString.cached("RateLimit-Policy");
    private static final CharSequence STATE = AsciiString.cached("RateLimit");

    private QuotaHeaders() {}

    static void write(Decision decision, MultiMap headers) {
        Window binding = decision.binding();
        Window minute = decision.minute();
        Window day = decision.day();
        headers.set(LIMIT, Integer.toString(binding.limit()));
        headers.set(REMAINING, Integer.toString(binding.remaining()));
        headers.set(RESET, Long.toString(Decision.ceilSeconds(binding.resetMillis())));
        headers.set(POLICY, "\"minute\";q=" + minute.limit() + ";w=60, \"day\";q=" + day.limit() + ";w=86400");
        headers.set(
                STATE,
                "\"minute\";r=" + minute.remaining() + ";t=" + decision.secondsUntil(minute.resetMillis())
                        + ", \"day\";r=" + day.remaining() + ";t=" + decision.secondsUntil(day.resetMillis()));
    }
}
