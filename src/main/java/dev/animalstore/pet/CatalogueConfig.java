package dev.animalstore.pet;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How pages of the catalogue are remembered. */
@ConfigMapping(prefix = "animalstore.catalogue")
interface CatalogueConfig {
    /**
     * How long a page is served from memory without asking PostgreSQL. What is added through the service is listed at once whatever this is; it
     * bounds how late a list shows what was written to the table by others, or by a replica that ended before it could say so. 0 switches the
     * memory off. At most an hour.
     */
    @WithDefault("5s")
    Duration cacheTime();

    /** How much memory the pages take at most. */
    @WithDefault("16M")
    MemorySize cacheSize();
}
