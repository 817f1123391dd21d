package dev.animalstore.metering.gate;

import dev.animalstore.metering.gate.Verdict.Unavailable;
import dev.animalstore.metering.key.BearerKey;
import dev.animalstore.web.FilterPriorities;
import dev.animalstore.web.http.Area;
import dev.animalstore.web.http.AuthorizePath;
import dev.animalstore.web.http.Caller;
import dev.animalstore.web.http.CorsFilter;
import dev.animalstore.web.http.RequestLog;
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
 * The only entry to the API. It refuses a request without a well-formed key, without I/O, and asks {@link Admission} about every other one. A
 * request that only asks for the verdict ends here.
 * It never blocks: a request that waits for PostgreSQL or Redis is suspended.
 */
@Provider
@PreMatching
@NonBlocking
@ApplicationScoped
@Priority(FilterPriorities.GATE)
public class GateFilter implements ResteasyReactiveContainerRequestFilter {
    private static final CharSequence KEY_ID = HttpHeaders.createOptimized("X-Key-Id");
    private static final CharSequence KEY_PLAN = HttpHeaders.createOptimized("X-Key-Plan");

    private final AuthorizationHeader authorization;
    private final Admission admission;
    private final VerdictMetrics metrics;
    private final AuthorizePath authorize;

    GateFilter(
            AuthorizationHeader authorization, Admission admission, VerdictMetrics metrics, AuthorizePath authorize) {
        this.authorization = authorization;
        this.admission = admission;
        this.metrics = metrics;
        this.authorize = authorize;
    }

    @Override
    public void filter(ResteasyReactiveContainerRequestContext request) {
        ResteasyReactiveRequestContext server = (ResteasyReactiveRequestContext) request.getServerRequestContext();
        RoutingContext exchange = server.unwrap(RoutingContext.class);
        if (Area.of(exchange) != Area.API || CorsFilter.isPreflight(exchange.request())) {
            return;
        }
        if (authorize.isAsked(exchange)) {
            RequestLog.setRoute(exchange, AuthorizePath.PATH);
        }
        List<String> headers = exchange.request().headers().getAll(HttpHeaders.AUTHORIZATION);
        BearerKey sent = authorization.key(headers).orElse(null);
        if (sent == null) {
            end(admission.refuse(exchange, authorization.refusal(headers)), false, request, exchange);
        } else {
            await(admission.admit(sent, exchange, !OwnKeyResource.isAsked(exchange)), request, exchange);
        }
    }

    /** Suspends the request until the verdict has been reached, unless it has been. */
    private void await(
            Future<Verdict> verdict, ResteasyReactiveContainerRequestContext request, RoutingContext exchange) {
        if (verdict.succeeded()) {
            end(verdict.result(), false, request, exchange);
            return;
        }
        request.suspend();
        Context context = exchange.vertx().getOrCreateContext();
        verdict.onComplete(reached -> context.runOnContext(ignored -> {
            try {
                end(reached.result(), true, request, exchange);
            } catch (RuntimeException defect) {
                request.resume(reached.failed() ? reached.cause() : defect);
            }
        }));
    }

    /** Reports a verdict, adds its headers, and lets the request continue or ends it. */
    private void end(
            Verdict verdict,
            boolean isSuspended,
            ResteasyReactiveContainerRequestContext request,
            RoutingContext exchange) {
        RequestLog.describe(exchange, verdict);
        metrics.count(verdict);
        QuotaHeaders.write(verdict, exchange.response().headers());
        if (verdict.refusal() != null) {
            verdict.refusal().end(request);
        } else if (verdict instanceof Unavailable unavailable) {
            if (!isSuspended) {
                request.suspend();
            }
            request.resume(unavailable.cause());
        } else if (authorize.isAsked(exchange)) {
            exchange.response().putHeader(KEY_ID, Long.toString(verdict.key().id()));
            exchange.response().putHeader(KEY_PLAN, verdict.key().plan());
            Refusal.NONE.end(request);
        } else {
            Caller.set(exchange, verdict.key().id(), verdict.key().plan());
            if (isSuspended) {
                request.resume();
            }
        }
    }
}
