package dev.animalstore.gate;

import dev.animalstore.key.CachedKey;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.handler.codec.DateFormatter;
import io.vertx.core.MultiMap;
import jakarta.inject.Singleton;
import java.util.Date;

/**
 * Tells whoever still sends a rotated secret since when it is deprecated (RFC 9745) and when it stops working (RFC 8594), on refusals of
 * the quota too, and counts such requests per key, so that an operator sees who has not switched. Where the operation itself is
 * deprecated, its own word takes the place of this one.
 */
@Singleton
final class RotatedSecrets {
    private final MeterRegistry metrics;

    RotatedSecrets(MeterRegistry metrics) {
        this.metrics = metrics;
    }

    /** Adds the headers to the answer, if the key was found by a secret that has been rotated. */
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
