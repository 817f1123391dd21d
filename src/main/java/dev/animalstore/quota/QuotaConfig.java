package dev.animalstore.quota;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How quotas are shared between replicas, and when a replica stops waiting for the others. */
@ConfigMapping(prefix = "animalstore")
public interface QuotaConfig {
    /**
     * How many replicas run beside each other, at least 1. Where a replica meters by itself it admits this fraction of a limit, so a
     * figure that is too low admits too much then, and one that is too high too little.
     */
    @WithDefault("1")
    int replicas();

    /** When Redis counts as failing. */
    Outage outage();

    /** The figures of the circuit breaker. */
    interface Outage {
        /**
         * How long Redis may take for a decision; afterwards the replica decides by itself. Shorter means less delay at the beginning of
         * an outage, and more decisions that are not shared when Redis or the network is only slow.
         */
        @WithDefault("40ms")
        Duration deadline();

        /** How many failures in a row open the circuit breaker, so that no request waits any more. */
        @WithDefault("5")
        int failures();

        /** How often Redis is probed; at most this much later than its return quotas are shared again. */
        @WithDefault("500ms")
        Duration probeEvery();
    }
}
