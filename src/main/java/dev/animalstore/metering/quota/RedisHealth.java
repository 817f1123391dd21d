package dev.animalstore.metering.quota;

import dev.animalstore.redis.RedisClient;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Reports in the readiness whether quotas are shared. It is never down: without Redis a replica still serves requests, and taking all
 * replicas out of service at once would turn a small outage into a total one.
 */
@Readiness
@Singleton
final class RedisHealth implements HealthCheck {
    private final RedisClient redis;

    RedisHealth(RedisClient redis) {
        this.redis = redis;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("quota")
                .withData(
                        "redis",
                        redis.isFailing()
                                ? "degraded: each replica enforces its share of every limit locally"
                                : "shared")
                .up()
                .build();
    }
}
