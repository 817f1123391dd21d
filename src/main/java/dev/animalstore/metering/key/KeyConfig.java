package dev.animalstore.metering.key;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** The format of keys, and how long their copies are used (docs/configuration.md). */
@ConfigMapping(prefix = "animalstore.keys")
public interface KeyConfig {
    /** How keys start, so that their owners and scanners of leaked secrets know whose they are. */
    @WithDefault("ask")
    @Pattern(regexp = "[a-z][a-z0-9]{0,15}", message = "must be 1 to 16 lower-case letters and digits, a letter first")
    String prefix();

    /** What a 401 says that a key is for (RFC 9110, section 11.5). */
    @WithDefault("animal-store")
    @Pattern(regexp = "[A-Za-z0-9 ._-]{1,64}", message = "must be 1 to 64 letters, digits, spaces, dots, - and _")
    String realm();

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
