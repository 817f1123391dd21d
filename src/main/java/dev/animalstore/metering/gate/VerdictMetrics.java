package dev.animalstore.metering.gate;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Counts verdicts by plan and outcome. */
@Singleton
class VerdictMetrics {
    private final Map<String, Map<String, Counter>> plans = new ConcurrentHashMap<>();
    private final Counter rotatedSecrets;
    private final MeterRegistry metrics;

    VerdictMetrics(MeterRegistry metrics) {
        this.metrics = metrics;
        rotatedSecrets = Counter.builder("animalstore.rotated.secret.requests")
                .description("Requests with a secret that was rotated; the request log names their keys")
                .register(metrics);
    }

    void count(Verdict verdict) {
        plans.computeIfAbsent(verdict.plan(), this::counters)
                .get(verdict.outcome())
                .increment();
        if (verdict.hasRotatedSecret()) {
            rotatedSecrets.increment();
        }
    }

    /**
     * Registers the plan's outcomes as 0 at its first request, since Prometheus sees no increase in a series that starts with its first
     * event.
     */
    private Map<String, Counter> counters(String plan) {
        return Verdict.OUTCOMES.stream()
                .collect(Collectors.toMap(
                        outcome -> outcome,
                        outcome -> Counter.builder("animalstore.quota.decisions")
                                .description("Requests under /v1 by the plan of their key and the gate's decision")
                                .tags("plan", plan, "outcome", outcome)
                                .register(metrics)));
    }
}
