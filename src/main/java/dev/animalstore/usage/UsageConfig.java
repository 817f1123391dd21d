package dev.animalstore.usage;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How long usage is kept. */
@ConfigMapping(prefix = "animalstore.usage")
interface UsageConfig {
    /** How long the usage of a day is kept, in whole days. Each day takes a row of about 150 bytes for each key used. */
    @WithDefault("400d")
    Duration keep();
}
