package dev.animalstore.pet;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Instant;

/** The deprecation of {@code getPet}. The dates are reported to clients; only {@link #removed()} changes the behaviour. */
@ConfigMapping(prefix = "animalstore.get-pet")
interface DeprecationConfig {
    /** Since when the operation is deprecated: the {@code Deprecation} header (RFC 9745). */
    @WithDefault("2025-12-05T00:00:00Z")
    Instant deprecatedSince();

    /** When the operation is to be removed: the {@code Sunset} header (RFC 8594). It still works until {@link #removed()} is set. */
    @WithDefault("2030-12-05T00:00:00Z")
    Instant sunset();

    /** Whether the operation is removed and responds with 410. Set it when the metrics show no more calls. */
    @WithDefault("false")
    boolean removed();
}
