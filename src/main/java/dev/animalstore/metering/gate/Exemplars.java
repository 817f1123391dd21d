package dev.animalstore.metering.gate;

import io.prometheus.client.exemplars.ExemplarSampler;
import io.quarkus.micrometer.runtime.export.exemplars.OpentelemetryExemplarSamplerProvider;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The traces that metrics name as examples, if traces are on. Quarkus alone would look for a trace at each measurement, three times per
 * request, also while they are off.
 */
final class Exemplars {
    @Produces
    @Alternative
    @Priority(1)
    Optional<ExemplarSampler> sampler(@ConfigProperty(name = "quarkus.otel.sdk.disabled") boolean off) {
        return off ? Optional.empty() : new OpentelemetryExemplarSamplerProvider().exemplarSampler();
    }
}
