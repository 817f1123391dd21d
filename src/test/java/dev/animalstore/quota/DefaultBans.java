package dev.animalstore.quota;

import java.time.Duration;

/** The ban rules of the contract. */
record DefaultBans() implements BanConfig {
    @Override
    public Duration strikeWindow() {
        return Duration.ofSeconds(60);
    }

    @Override
    public double strikesPerLimit() {
        return 1;
    }

    @Override
    public Duration first() {
        return Duration.ofMinutes(5);
    }

    @Override
    public Duration longest() {
        return Duration.ofHours(1);
    }

    @Override
    public Duration forgottenAfter() {
        return Duration.ofHours(24);
    }
}
