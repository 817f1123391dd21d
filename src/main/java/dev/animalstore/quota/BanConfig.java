package dev.animalstore.quota;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** When a subject that goes on after a refusal is banned, and for how long. */
@ConfigMapping(prefix = "animalstore.ban")
public interface BanConfig {
    /** How long, from the first refusal, further ones are counted. */
    @WithDefault("60s")
    Duration strikeWindow();

    /** How many further refusals bring the ban, as a multiple of the limit a minute. Below 1 it hits clients whose clock is a bit off. */
    @WithDefault("1")
    double strikesPerLimit();

    /** The length of the first ban. Each further one is twice as long as the one before. */
    @WithDefault("5m")
    Duration first();

    /** The length at which bans stop growing. */
    @WithDefault("1h")
    Duration longest();

    /** How long, from its beginning, a ban makes the next one longer. */
    @WithDefault("24h")
    Duration forgottenAfter();

    /** How many refusals after the first one bring a ban to a subject with these limits, at least 1. */
    default long strikes(Limits limits) {
        return Math.max(1, Math.round(limits.perMinute() * strikesPerLimit()));
    }
}
