package dev.animalstore.redis;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** When Redis counts as unavailable. */
@ConfigMapping(prefix = "animalstore.redis")
public interface RedisConfig {
    /**
     * What the names of all keys in Redis begin with, after {@code animalstore:}. Two deployments that share a Redis need different ones, since
     * they number their API keys alike. By default it is the environment of the keys.
     */
    @WithDefault("${animalstore.keys.environment:live}")
    @Pattern(regexp = "[a-z0-9._-]+", message = "must be lower-case letters, digits, dots, underscores and hyphens")
    String namespace();

    /**
     * The timeout of a command, after which the replica decides locally. A shorter one means less delay when an outage starts, and more
     * decisions that are not shared when Redis or the network is only slow.
     */
    @WithDefault("40ms")
    @DurationMin(millis = 1)
    @DurationMax(minutes = 1)
    Duration timeout();

    /** How many failures in a row open the circuit breaker, so that requests no longer wait. */
    @WithDefault("5")
    @Min(1)
    int failures();

    /** The time between two probes, which is also the longest delay until Redis is used again. */
    @WithDefault("500ms")
    @DurationMin(millis = 1)
    @DurationMax(minutes = 1)
    Duration probeEvery();
}
