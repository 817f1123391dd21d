package dev.animalstore.quota;

import java.time.Duration;

/** Ban rules that a test chooses. */
record BanRules(
        Duration strikeWindow, double strikesPerLimit, Duration first, Duration longest, Duration forgottenAfter)
        implements BanConfig {
    /** The default rules, those of the contract. */
    static final BanRules CONTRACT =
            new BanRules(Duration.ofSeconds(60), 1, Duration.ofMinutes(5), Duration.ofHours(1), Duration.ofHours(24));
}
