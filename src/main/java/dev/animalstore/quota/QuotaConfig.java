package dev.animalstore.quota;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How replicas share quotas. */
@ConfigMapping(prefix = "animalstore")
public interface QuotaConfig {
    /**
     * The number of replicas, at least 1. A replica that limits locally admits this fraction of each limit, so a figure that is too low
     * admits too much then, and one that is too high too little.
     */
    @WithDefault("1")
    int replicas();
}
