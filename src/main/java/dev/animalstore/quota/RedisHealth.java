package dev.animalstore.quota;

import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * A note in the readiness on whether quotas are shared. It is never down: without Redis a replica goes on serving, and taking all replicas
 * out of service at once would turn a small outage into a whole one.
 */
@Readiness
@Singleton
final class RedisHealth implements HealthCheck {
    private final QuotaMeter meter;

    RedisHealth(QuotaMeter meter) {
        this.meter = meter;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("quota")
                .withData("redis", meter.isDegraded() ? "degraded: each replica meters by itself" : "shared")
                .up()
                .build();
    }
}
