package dev.animalstore.redis;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** When Redis counts as unavailable. */
@ConfigMapping(prefix = "animalstore.redis")
public interface RedisConfig {
    /**
     * The timeout of a command, after which the replica decides locally. A shorter one means less delay when an outage starts, and more
     * decisions that are not shared when Redis or the network is only slow.
     */
    @WithDefault("40ms")
    Duration timeout();

    /** How many failures in a row open the circuit breaker, so that requests no longer wait. */
    @WithDefault("5")
    int failures();

    /** How often Redis is probed, which is also the longest delay until it is used again. */
    @WithDefault("500ms")
    Duration probeEvery();
}
