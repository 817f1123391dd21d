package dev.animalstore.gate;

import dev.animalstore.key.KnownKey;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.handler.codec.DateFormatter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.MultivaluedMap;
import java.util.Date;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Tells whoever still sends a rotated secret since when it is deprecated (RFC 9745) and when it stops working (RFC 8594), on refusals of
 * the quota too, and counts such requests per key, so that an operator sees who has not switched. Where the operation itself is
 * deprecated, its own word stands.
 */
@ApplicationScoped
class RotatedSecrets {
    private static final String KEY = RotatedSecrets.class.getName();
    private static final String DEPRECATION = "Deprecation";

    private final MeterRegistry metrics;

    RotatedSecrets(MeterRegistry metrics) {
        this.metrics = metrics;
    }

    /** Takes note of the key of a request, if it was found by a secret that has been rotated. */
    void note(KnownKey key, ContainerRequestContext request) {
        if (key.secretRotatedAt() != null) {
            request.setProperty(KEY, key);
            metrics.counter("animalstore.rotated.secret.requests", "key", Long.toString(key.id()))
                    .increment();
        }
    }

    /** Runs after the filters that speak for an operation: the lower the priority, the later. */
    @ServerResponseFilter(priority = Priorities.HEADER_DECORATOR)
    void announce(ContainerRequestContext request, ContainerResponseContext response) {
        MultivaluedMap<String, Object> headers = response.getHeaders();
        if (request.getProperty(KEY) instanceof KnownKey key && !headers.containsKey(DEPRECATION)) {
            headers.putSingle(DEPRECATION, "@" + key.secretRotatedAt().getEpochSecond());
            headers.putSingle("Sunset", DateFormatter.format(Date.from(key.secretExpiresAt())));
        }
    }
}
