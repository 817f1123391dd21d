package dev.animalstore.redis;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** When Redis counts as unavailable, and how its keys are named (docs/configuration.md). */
@ConfigMapping(prefix = "animalstore.redis")
public interface RedisConfig {
    @WithDefault("${animalstore.keys.environment:live}")
    @Pattern(regexp = "[a-z0-9._-]+", message = "must be lower-case letters, digits, dots, underscores and hyphens")
    String namespace();

    @WithDefault("40ms")
    @DurationMin(millis = 1)
    @DurationMax(minutes = 1)
    Duration timeout();

    @WithDefault("5")
    @Min(1)
    int failures();

    @WithDefault("250ms")
    @DurationMin(millis = 1)
    @DurationMax(minutes = 1)
    Duration probeEvery();
}
