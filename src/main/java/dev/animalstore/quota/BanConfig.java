package dev.animalstore.quota;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** When a subject that keeps sending requests after a refusal is banned, and for how long. */
@ConfigMapping(prefix = "animalstore.ban")
public interface BanConfig {
    String FACTOR = "must be greater than 0 and at most 1000000";

    /** How long further refusals count, from the first one. It is longer than {@link #grace}, or there are no bans. */
    @WithDefault("60s")
    @DurationMin(millis = 1)
    @DurationMax(days = 365)
    Duration strikeWindow();

    /**
     * How long further refusals do not count, from the first one: their requests were sent before its response came, so a burst is no
     * reason for a ban.
     */
    @WithDefault("2s")
    @DurationMin
    @DurationMax(days = 365)
    Duration grace();

    /**
     * How many further refusals cause the ban, as a multiple of the limit per minute. Below 1 it affects clients whose clock is slightly
     * off.
     */
    @WithDefault("1")
    @DecimalMin(value = "0", inclusive = false, message = FACTOR)
    @DecimalMax(value = "1000000", message = FACTOR)
    double strikesPerLimit();

    /** The length of the first ban. Each further one is twice as long as the one before. */
    @WithDefault("5m")
    @DurationMin(millis = 1)
    @DurationMax(days = 365)
    Duration first();

    /** The length at which bans stop growing. */
    @WithDefault("1h")
    @DurationMin(millis = 1)
    @DurationMax(days = 365)
    Duration longest();

    /** How long a ban, from its start, doubles the next one. */
    @WithDefault("24h")
    @DurationMin(millis = 1)
    @DurationMax(days = 365)
    Duration forgottenAfter();
}
