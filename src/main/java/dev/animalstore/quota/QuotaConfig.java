package dev.animalstore.quota;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How quotas are shared between replicas. */
@ConfigMapping(prefix = "animalstore")
public interface QuotaConfig {
    /**
     * How many replicas run beside each other, at least 1. If a replica meters by itself it admits this fraction of a limit, so a figure that
     * is too low admits too much then, and one that is too high too little.
     */
    @WithDefault("1")
    int replicas();
}
