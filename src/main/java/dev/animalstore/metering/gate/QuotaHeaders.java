package dev.animalstore.metering.gate;

import dev.animalstore.metering.key.CachedKey;
import dev.animalstore.metering.quota.Decision;
import dev.animalstore.metering.quota.Decision.Window;
import dev.animalstore.web.http.Sunset;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.concurrent.TimeUnit;

/**
 * Writes a decision as headers: {@code X-RateLimit-*} for the window that binds, and the fields of draft-ietf-httpapi-ratelimit-headers for
 * both.
 */
final class QuotaHeaders {
    private static final int NOTICE_DAYS = 30;

    private static final CharSequence LIMIT = HttpHeaders.createOptimized("X-RateLimit-Limit");
    private static final CharSequence REMAINING = HttpHeaders.createOptimized("X-RateLimit-Remaining");
    private static final CharSequence RESET = HttpHeaders.createOptimized("X-RateLimit-Reset");
    private static final CharSequence POLICY = HttpHeaders.createOptimized("RateLimit-Policy");
    private static final CharSequence STATE = HttpHeaders.createOptimized("RateLimit");

    /** The policy of the latest response. Most others have the same, since there are few plans. */
    private static volatile Policy latest = Policy.of(1, 1);

    private QuotaHeaders() {}

    /**
     * Adds to a refusal when to retry, and to every response to a rotated secret, or to a key that ends within {@value #NOTICE_DAYS} days, when it
     * stops working.
     */
    static void write(Verdict verdict, MultiMap headers) {
        write(verdict.quota(), headers);
        if (verdict.retryAfterSeconds() > 0) {
            headers.set(HttpHeaders.RETRY_AFTER, Long.toString(verdict.retryAfterSeconds()));
        }
        CachedKey key = verdict.key();
        if (key != null && key.isSecretRotated() && key.secretExpires() != CachedKey.NEVER) {
            Sunset.announce(headers, CachedKey.instant(key.secretRotated()), CachedKey.instant(key.secretExpires()));
        }
        if (key != null
                && TimeUnit.MICROSECONDS.toMillis(key.keyExpires())
                        <= verdict.quota().nowMillis() + TimeUnit.DAYS.toMillis(NOTICE_DAYS)) {
            Sunset.announce(headers, null, CachedKey.instant(key.keyExpires()));
        }
    }

    static void write(Decision decision, MultiMap headers) {
        Window binding = decision.binding();
        Window minute = decision.minute();
        Window day = decision.day();
        Policy policy = policy(minute.limit(), day.limit());
        headers.add(LIMIT, binding.limit() == policy.perDay() ? policy.day() : policy.minute());
        headers.add(REMAINING, Integer.toString(binding.remaining()));
        headers.add(RESET, Long.toString(Decision.ceilSeconds(binding.resetMillis())));
        headers.add(POLICY, policy.text());
        headers.add(
                STATE,
                "\"minute\";r=" + minute.remaining() + ";t=" + decision.secondsUntil(minute.resetMillis())
                        + ", \"day\";r=" + day.remaining() + ";t=" + decision.secondsUntil(day.resetMillis()));
    }

    private static Policy policy(int perMinute, int perDay) {
        Policy known = latest;
        if (known.perMinute() != perMinute || known.perDay() != perDay) {
            known = Policy.of(perMinute, perDay);
            latest = known;
        }
        return known;
    }

    /** Two limits, as numbers and as texts, and the header with both. */
    private record Policy(int perMinute, int perDay, String minute, String day, String text) {
        static Policy of(int perMinute, int perDay) {
            String minute = Integer.toString(perMinute);
            String day = Integer.toString(perDay);
            String text = "\"minute\";q=" + minute + ";w=60, \"day\";q=" + day + ";w=86400";
            return new Policy(perMinute, perDay, minute, day, text);
        }
    }
}
