package dev.animalstore.metering.quota;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** When a subject that keeps sending requests after a refusal is banned, and for how long (docs/configuration.md). */
@ConfigMapping(prefix = "animalstore.ban")
public interface BanConfig {
    String FACTOR = "must be greater than 0 and at most 1000000";

    @WithDefault("60s")
    @DurationMin(millis = 1)
    @DurationMax(days = 365)
    Duration strikeWindow();

    @WithDefault("2s")
    @DurationMin
    @DurationMax(days = 365)
    Duration grace();

    @WithDefault("1")
    @DecimalMin(value = "0", inclusive = false, message = FACTOR)
    @DecimalMax(value = "1000000", message = FACTOR)
    double strikesPerLimit();

    @WithDefault("5m")
    @DurationMin(millis = 1)
    @DurationMax(days = 365)
    Duration first();

    @WithDefault("1h")
    @DurationMin(millis = 1)
    @DurationMax(days = 365)
    Duration longest();

    @WithDefault("24h")
    @DurationMin(millis = 1)
    @DurationMax(days = 365)
    Duration forgottenAfter();
}
