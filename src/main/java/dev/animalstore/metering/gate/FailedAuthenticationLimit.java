package dev.animalstore.metering.gate;

import dev.animalstore.metering.quota.Decision;
import dev.animalstore.metering.quota.Decision.Outcome;
import dev.animalstore.metering.quota.LocalLimiter;
import dev.animalstore.metering.quota.Quota;
import dev.animalstore.web.http.ClientAddress;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.validation.constraints.Min;
import java.time.Clock;

/**
 * The limit per client address of failed authentications: requests of customers without a valid key, and wrong tokens of operators. It never
 * refuses a request because of earlier failures of its address: the caller checks the credentials first, and charges only failures. Each
 * replica enforces its share in memory: a flood of bad keys must cost next to nothing, not even a round trip to Redis.
 */
@Singleton
public final class FailedAuthenticationLimit {
    /**
     * How many authentications of an address may fail. Beyond it, its keys that the replica has no copy of are looked up a few at a time.
     */
    @ConfigMapping(prefix = "animalstore.failed-authentication")
    interface Config {
        @WithDefault("300")
        @Min(1)
        int perMinute();

        @WithDefault("10000")
        @Min(1)
        int perDay();
    }

    /** If there are more, an address that is seldom seen starts anew. */
    private static final long MAXIMUM_ADDRESSES = 100_000;

    private final LocalLimiter limiter;
    private final Quota limits;

    FailedAuthenticationLimit(Config config, LocalLimiter.Config quota, Clock clock) {
        limiter = new LocalLimiter(clock, quota.replicas(), MAXIMUM_ADDRESSES);
        limits = new Quota(config.perMinute(), config.perDay());
    }

    /**
     * Charges a failed authentication to the address of its request, and shows the limit in the headers of the response.
     *
     * @return 0, or, if the address had exceeded its limit, in how many seconds it may fail again; the response is then a 429
     */
    public long charge(RoutingContext exchange) {
        Decision budget = spend(exchange);
        QuotaHeaders.write(budget, exchange.response().headers());
        return budget.outcome() == Outcome.ADMITTED ? 0 : budget.retryAfterSeconds();
    }

    Decision spend(RoutingContext exchange) {
        return limiter.spend(address(exchange), limits);
    }

    /** The state of the limit for the address of a request, without charging it. */
    Decision peek(RoutingContext exchange) {
        return limiter.peek(address(exchange), limits);
    }

    private static String address(RoutingContext exchange) {
        return ClientAddress.of(exchange.request().remoteAddress());
    }
}
