package dev.animalstore.pet;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How pages of the catalogue are cached. */
@ConfigMapping(prefix = "animalstore.catalogue")
interface CatalogueConfig {
    /**
     * How long a page is served from memory without a query. Pets added through the service are listed at once whatever this value is. It
     * bounds the delay for rows written by other systems, or by a replica that ended before it published the change. 0 disables the cache.
     * At most an hour.
     */
    @WithDefault("5s")
    Duration cacheTime();

    /** The maximum memory of the cached pages. */
    @WithDefault("16M")
    MemorySize cacheSize();
}
