package dev.animalstore.metering.gate;

import dev.animalstore.metering.key.BearerKey;
import dev.animalstore.metering.key.KeyConfig;
import dev.animalstore.web.FilterPriorities;
import dev.animalstore.web.http.Area;
import dev.animalstore.web.http.Caller;
import dev.animalstore.web.http.CorsFilter;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.ext.Provider;
import java.util.List;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestFilter;

/**
 * The only entry to the API. It refuses a request without a well-formed key, without I/O, and asks {@link Admission} about every other one.
 * It never blocks: a request that waits for PostgreSQL or Redis is suspended.
 */
@Provider
@PreMatching
@NonBlocking
@ApplicationScoped
@Priority(FilterPriorities.GATE)
public class GateFilter implements ResteasyReactiveContainerRequestFilter {
    private final KeyConfig config;
    private final Admission admission;
    private final FailedAuthenticationLimit failures;

    GateFilter(KeyConfig config, Admission admission, FailedAuthenticationLimit failures) {
        this.config = config;
        this.admission = admission;
        this.failures = failures;
    }

    @Override
    public void filter(ResteasyReactiveContainerRequestContext request) {
        ResteasyReactiveRequestContext server = (ResteasyReactiveRequestContext) request.getServerRequestContext();
        RoutingContext exchange = server.unwrap(RoutingContext.class);
        if (Area.of(exchange) != Area.API || CorsFilter.isPreflight(exchange.request())) {
            return;
        }
        List<String> headers = exchange.request().headers().getAll(HttpHeaders.AUTHORIZATION);
        BearerKey sent = AuthorizationHeader.key(headers, config.environment()).orElse(null);
        if (sent == null) {
            apply(admission.refuse(exchange, AuthorizationHeader.refusal(headers)), request, exchange);
        } else {
            await(admission.admit(sent, exchange), request, exchange);
        }
    }

    /** Suspends the request until the verdict has been reached, unless it has been. */
    private void await(
            Future<Verdict> verdict, ResteasyReactiveContainerRequestContext request, RoutingContext exchange) {
        if (verdict.succeeded()) {
            apply(verdict.result(), request, exchange);
            return;
        }
        request.suspend();
        Context context = exchange.vertx().getOrCreateContext();
        verdict.onComplete(decided -> context.runOnContext(ignored -> {
            try {
                if (decided.failed()) {
                    apply(Verdict.failed(failures.peek(exchange)), request, exchange);
                    request.resume(decided.cause());
                } else {
                    apply(decided.result(), request, exchange);
                    if (decided.result().refusal() == null) {
                        request.resume();
                    }
                }
            } catch (RuntimeException defect) {
                request.resume(defect);
            }
        }));
    }

    /** Adds the headers of a verdict, and ends the request if it is refused. */
    private static void apply(
            Verdict verdict, ResteasyReactiveContainerRequestContext request, RoutingContext exchange) {
        verdict.record(exchange);
        QuotaHeaders.write(verdict, exchange.response().headers());
        if (verdict.outcome() == Verdict.Outcome.ADMITTED) {
            Caller.set(exchange, verdict.keyId());
        } else if (verdict.refusal() != null) {
            verdict.refusal().end(request);
        }
    }
}
