package dev.animalstore.metering.key;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** The format of keys, and how long their copies are used (docs/configuration.md). */
@ConfigMapping(prefix = "animalstore.keys")
public interface KeyConfig {
    @WithDefault("live")
    BearerKey.Environment environment();

    @WithDefault("30s")
    @DurationMin
    @DurationMax(hours = 1)
    Duration cacheTime();

    @WithDefault("200000")
    @Min(1)
    @Max(999_999_999)
    long cacheSize();
}
