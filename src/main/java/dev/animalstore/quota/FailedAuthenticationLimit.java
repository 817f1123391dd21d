package dev.animalstore.quota;

import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Optional;

/**
 * The limit per client address of requests without a valid key, including failed sign-ins of operators. Each replica enforces its share in
 * memory: a flood of bad keys must cost next to nothing, not even a round trip to Redis.
 */
@Singleton
public final class FailedAuthenticationLimit {
    private final LocalLimiter limiter;
    private final Limits limits;

    FailedAuthenticationLimit(FailedAuthenticationConfig config, QuotaConfig quota, Clock clock) {
        limiter = new LocalLimiter(clock, quota.replicas(), Optional.empty(), config.maximumAddresses());
        limits = new Limits(config.perMinute(), config.perDay());
    }

    /** Charges a request without a valid key to its address. */
    public Decision charge(String address) {
        return limiter.spend(address, limits);
    }

    /** The current state of the limit, for a request whose key cannot be checked. */
    public Decision peek(String address) {
        return limiter.peek(address, limits);
    }
}
