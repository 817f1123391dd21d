package dev.animalstore.quota;

import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Optional;

/**
 * The budget of requests without a valid key, failed sign-ins of operators included, that each client address has. It is kept in memory, each replica enforcing its share: a
 * flood of bad keys must cost next to nothing, so not even a round trip to Redis.
 */
@Singleton
public final class FailedAuthenticationLimit {
    private final LocalLimiter meter;
    private final Limits limits;

    FailedAuthenticationLimit(FailedAuthenticationConfig config, QuotaConfig quota, Clock clock) {
        meter = new LocalLimiter(clock, quota.replicas(), Optional.empty(), config.maximumAddresses());
        limits = new Limits(config.perMinute(), config.perDay());
    }

    /** Charges a request without a valid key to the address that it came from. */
    public Decision charge(String address) {
        return meter.spend(address, limits);
    }

    /** How the budget stands, for a request of which nobody can say whether its key is valid. */
    public Decision peek(String address) {
        return meter.peek(address, limits);
    }
}
