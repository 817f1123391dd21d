package dev.animalstore.key;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** The format of keys, and how long their copies are used. */
@ConfigMapping(prefix = "animalstore.keys")
public interface KeyConfig {
    /** The environment whose keys are accepted and issued. */
    @WithDefault("live")
    BearerKey.Environment environment();

    /**
     * How long a copy of a key decides while Redis is unavailable, after Redis confirmed it last or PostgreSQL gave it. So this is how long a
     * revoked key may still be admitted then, and how long there is service without both. While Redis is available, a change applies at once
     * and a copy needs no query, whatever this value is.
     */
    @WithDefault("30s")
    @DurationMin
    @DurationMax(hours = 1)
    Duration cacheTime();

    /** How many copies of keys are kept, each for an hour after its last use. */
    @WithDefault("200000")
    @Min(1)
    @Max(999_999_999)
    long cacheSize();

    /** How long an unknown secret is refused without querying PostgreSQL again. One that was found within the hour is looked up sooner. */
    @WithDefault("60s")
    @DurationMin
    @DurationMax(hours = 1)
    Duration unknownTime();
}
