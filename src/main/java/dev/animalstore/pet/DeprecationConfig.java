package dev.animalstore.pet;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Instant;

/** How far the retirement of {@code getPet} has come. The dates are what clients are told; only {@link #removed()} changes what happens. */
@ConfigMapping(prefix = "animalstore.get-pet")
interface DeprecationConfig {
    /** Since when the operation is deprecated: the {@code Deprecation} header (RFC 9745). */
    @WithDefault("2025-12-05T00:00:00Z")
    Instant deprecatedSince();

    /** When the operation is to be removed: the {@code Sunset} header (RFC 8594). It goes on working until {@link #removed()} is set. */
    @WithDefault("2030-12-05T00:00:00Z")
    Instant sunset();

    /** Whether the operation has been removed and answers 410. Set it once the metrics show that nobody depends on it any more. */
    @WithDefault("false")
    boolean removed();
}
