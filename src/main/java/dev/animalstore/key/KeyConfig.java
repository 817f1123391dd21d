package dev.animalstore.key;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** The format of keys and how long they are cached. */
@ConfigMapping(prefix = "animalstore.keys")
public interface KeyConfig {
    /** The environment whose keys are accepted and issued. */
    @WithDefault("live")
    BearerKey.Environment environment();

    /**
     * How long a key is used without querying PostgreSQL again. While Redis is available, a change applies at once whatever this value is;
     * otherwise this is how long a revoked key may still be admitted. A longer time also means longer service without PostgreSQL. At most
     * an hour, which is how long Redis keeps a version.
     */
    @WithDefault("30s")
    @DurationMin
    @DurationMax(hours = 1)
    Duration cacheTime();

    @WithDefault("200000")
    @Min(1)
    @Max(999_999_999)
    long cacheSize();

    /** How long an unknown secret is refused without querying PostgreSQL again. */
    @WithDefault("60s")
    @DurationMin
    @DurationMax(hours = 1)
    Duration unknownTime();
}
