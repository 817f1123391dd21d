package dev.animalstore.quota;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** When a subject that keeps sending requests after a refusal is banned, and for how long. */
@ConfigMapping(prefix = "animalstore.ban")
public interface BanConfig {
    /** How long further refusals count, from the first one. */
    @WithDefault("60s")
    Duration strikeWindow();

    /**
     * How many further refusals cause the ban, as a multiple of the limit per minute. Below 1 it affects clients whose clock is slightly
     * off.
     */
    @WithDefault("1")
    double strikesPerLimit();

    /** The length of the first ban. Each further one is twice as long as the one before. */
    @WithDefault("5m")
    Duration first();

    /** The length at which bans stop growing. */
    @WithDefault("1h")
    Duration longest();

    /** How long a ban, from its start, doubles the next one. */
    @WithDefault("24h")
    Duration forgottenAfter();

    /** How many refusals after the first one ban a subject with these limits, at least 1. */
    default long strikes(Limits limits) {
        return Math.max(1, Math.round(limits.perMinute() * strikesPerLimit()));
    }
}
