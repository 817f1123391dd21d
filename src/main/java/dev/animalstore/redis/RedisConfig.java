package dev.animalstore.redis;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** When Redis counts as failing. */
@ConfigMapping(prefix = "animalstore.redis")
public interface RedisConfig {
    /**
     * How long Redis may take for an answer; afterwards the replica does without. Shorter means less delay at the beginning of an outage, and
     * more decisions that are not shared when Redis or the network is only slow.
     */
    @WithDefault("40ms")
    Duration timeout();

    /** How many failures in a row open the circuit breaker, so that no request waits any more. */
    @WithDefault("5")
    int failures();

    /** How often Redis is probed; at most this much later than its return it is used again. */
    @WithDefault("500ms")
    Duration probeEvery();
}
