package dev.animalstore.gate;

import dev.animalstore.key.CachedKey;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.handler.codec.DateFormatter;
import io.vertx.core.MultiMap;
import jakarta.inject.Singleton;
import java.util.Date;

/**
 * Adds to responses to a rotated secret since when it is deprecated (RFC 9745) and when it stops working (RFC 8594), on refusals of the
 * quota too, and counts such requests per key, so that operators see who has not switched. The headers of a deprecated operation take
 * precedence.
 */
@Singleton
final class RotatedSecrets {
    private final MeterRegistry metrics;

    RotatedSecrets(MeterRegistry metrics) {
        this.metrics = metrics;
    }

    /** Adds the headers to the response, if the key was found by a rotated secret. */
    void announce(CachedKey key, MultiMap headers) {
        if (key.secretRotatedAt() == null) {
            return;
        }
        headers.set("Deprecation", "@" + key.secretRotatedAt().getEpochSecond());
        headers.set("Sunset", DateFormatter.format(Date.from(key.secretExpiresAt())));
        metrics.counter("animalstore.rotated.secret.requests", "key", Long.toString(key.id()))
                .increment();
    }
}
