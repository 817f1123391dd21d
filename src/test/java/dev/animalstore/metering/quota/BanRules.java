package dev.animalstore.metering.quota;

import dev.animalstore.metering.quota.Decision.Ban;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Ban rules that a test chooses. */
record BanRules(
        Duration strikeWindow,
        Duration grace,
        double strikesPerLimit,
        Duration first,
        Duration longest,
        Duration forgottenAfter)
        implements BanConfig {
    /** The default rules, those of the contract. */
    static final BanRules CONTRACT = withGrace(Duration.ofSeconds(2));

    /** The default rules, without the time in which refusals do not count. */
    static final BanRules STRICT = withGrace(Duration.ZERO);

    private static BanRules withGrace(Duration grace) {
        return new BanRules(
                Duration.ofSeconds(60), grace, 1, Duration.ofMinutes(5), Duration.ofHours(1), Duration.ofHours(24));
    }

    static Ban ban(Supplier<Decision> request) {
        return Stream.generate(() -> request.get().ban())
                .limit(1000)
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow();
    }
}
