package dev.animalstore.metering.gate;

import dev.animalstore.metering.gate.Verdict.Outcome;
import dev.animalstore.web.http.Area;
import dev.animalstore.web.http.FilterPriorities;
import dev.animalstore.web.http.RequestScreening;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.netty.util.AsciiString;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Context;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Records each request of customers and operators: a line of the {@link AccessLogWriter}, and its duration in the metric {@code
 * http.server.requests} by method, route and status. It replaces Quarkus's binder of that metric, which took a seventh of the time of a
 * refusal, and Quarkus's access log, which knows no keys.
 */
@ApplicationScoped
class RequestMetrics {
    /** The status that nginx logs if a client closes the connection before the response. HTTP does not define it. */
    private static final int CLIENT_GONE = 499;

    /** The context's local in which Quarkus REST stores the template of the matched path. */
    private static final String ROUTE = "UrlPathTemplate";

    private static final int DEFECT = 500;

    private static final Duration[] BUCKETS = Stream.of(5, 10, 25, 50, 100, 250, 500, 1000, 2500)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private static final Map<HttpMethod, String> METHODS = Stream.of(
                    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
            .collect(Collectors.toMap(HttpMethod::valueOf, method -> method));

    private final Map<RequestKind, LineAndTimer> requests = new ConcurrentHashMap<>();
    private final Map<String, Map<Outcome, Counter>> decisions = new ConcurrentHashMap<>();
    private final Counter rotatedSecrets;
    private final AccessLogWriter accessLog;
    private final MeterRegistry metrics;

    RequestMetrics(AccessLogWriter accessLog, MeterRegistry metrics) {
        this.accessLog = accessLog;
        this.metrics = metrics;
        rotatedSecrets = Counter.builder("animalstore.rotated.secret.requests")
                .description("Requests with a secret that was rotated; the request log names their keys")
                .register(metrics);
    }

    void register(@Observes Filters filters) {
        filters.register(this::begin, FilterPriorities.METRICS);
    }

    private void begin(RoutingContext exchange) {
        long start = System.nanoTime();
        Context context = exchange.vertx().getOrCreateContext();
        exchange.addEndHandler(ended -> record(exchange, context, ended.succeeded(), System.nanoTime() - start));
        exchange.next();
    }

    private void record(RoutingContext exchange, Context context, boolean ended, long nanos) {
        if (Area.of(exchange) == Area.DOCUMENTS || exchange.normalizedPath().equals("/")) {
            return;
        }
        HttpServerResponse response = exchange.response();
        int status = ended || response.headWritten() ? response.getStatusCode() : CLIENT_GONE;
        String route = context.getLocal(ROUTE);
        String method = METHODS.getOrDefault(exchange.request().method(), "other");
        RequestKind kind = new RequestKind(method, route == null ? "none" : route, status);
        LineAndTimer shared = requests.computeIfAbsent(kind, this::lineAndTimer);
        shared.timer().record(nanos, TimeUnit.NANOSECONDS);
        Verdict verdict = Verdict.on(exchange);
        if (verdict != null) {
            decisions
                    .computeIfAbsent(verdict.plan(), this::counters)
                    .get(verdict.outcome())
                    .increment();
            if (verdict.hasRotatedSecret()) {
                rotatedSecrets.increment();
            }
        }
        accessLog.write(shared.line(), nanos, RequestScreening.id(exchange), verdict);
    }

    /**
     * Registers the plan's outcomes as 0 at its first request, since Prometheus sees no increase in a series that starts with its first
     * event.
     */
    private Map<Outcome, Counter> counters(String plan) {
        return Stream.of(Outcome.values())
                .collect(Collectors.toMap(
                        outcome -> outcome,
                        outcome -> Counter.builder("animalstore.quota.decisions")
                                .description("Requests under /v1 by the plan of their key and the gate's decision")
                                .tags("plan", plan, "outcome", outcome.toString())
                                .register(metrics)));
    }

    /** Registers the route's defects as 0 at its first request, for the same reason. */
    private LineAndTimer lineAndTimer(RequestKind kind) {
        timer(new RequestKind(kind.method(), kind.route(), DEFECT));
        String status = Integer.toString(kind.status());
        return new LineAndTimer(AccessLogWriter.linePrefix(kind.method(), kind.route(), status), timer(kind));
    }

    private Timer timer(RequestKind kind) {
        return Timer.builder("http.server.requests")
                .description(
                        "Requests of customers and operators, from the end of the request's head to the end of the response")
                .tags("method", kind.method(), "uri", kind.route(), "status", Integer.toString(kind.status()))
                .serviceLevelObjectives(BUCKETS)
                .register(metrics);
    }

    /** What distinguishes requests. There are few kinds, since all unknown methods and paths share one. */
    private record RequestKind(String method, String route, int status) {}

    /** The shared part of a kind's lines in the log, and its timer. */
    private record LineAndTimer(AsciiString line, Timer timer) {}
}
