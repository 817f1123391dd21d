package dev.animalstore.gate;

import dev.animalstore.quota.Decision;
import dev.animalstore.quota.Limits;
import dev.animalstore.quota.LocalMeter;
import dev.animalstore.quota.QuotaConfig;
import io.vertx.core.net.SocketAddress;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Optional;

/**
 * The budget of requests without a valid key that each client address has. It is kept in memory, each replica enforcing its share: a
 * flood of bad keys must cost next to nothing, so not even a round trip to Redis.
 */
@Singleton
final class FailedAuthentication {
    private final LocalMeter meter;
    private final Limits limits;

    FailedAuthentication(FailedAuthenticationConfig config, QuotaConfig quota, Clock clock) {
        meter = new LocalMeter(clock, quota.replicas(), Optional.empty(), config.maximumAddresses());
        limits = new Limits(config.perMinute(), config.perDay());
    }

    /** Charges a request without a valid key to the address that it came from. */
    Decision charge(SocketAddress peer) {
        return meter.spend(ClientAddress.of(peer), limits);
    }

    /** How the budget stands, for a request of which nobody can say whether its key is valid. */
    Decision peek(SocketAddress peer) {
        return meter.peek(ClientAddress.of(peer), limits);
    }
}
