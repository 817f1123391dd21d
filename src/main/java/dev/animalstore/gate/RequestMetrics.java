package dev.animalstore.gate;

import dev.animalstore.request.RequestId;
import dev.animalstore.request.SecurityHeaders;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Context;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What became of each request of customers and operators: a line of the {@link AccessLogWriter}, and its time in the metric
 * {@code http.server.requests} by method, route and status. It stands in for Quarkus's binder of that metric, which took a seventh of the
 * time of a refusal, and for its access log, which knows of no keys.
 */
@ApplicationScoped
class RequestMetrics {
    /** Outermost, so that all that a request takes is counted. */
    private static final int PRIORITY = CorsFilter.PRIORITY + 1;

    /** What nginx writes of a request whose client did not wait for the answer. It is no status of HTTP. */
    private static final int CLIENT_GONE = 499;

    /** Where, in the context of a request, Quarkus REST puts the template of the path that it matched. */
    private static final String ROUTE = "UrlPathTemplate";

    private static final String OPERATIONS = "/q/";

    private static final int DEFECT = 500;

    private static final Set<String> REFUSALS = Set.of("refused", "banned");

    private static final Duration[] BUCKETS = Stream.of(5, 10, 25, 50, 100, 250, 500, 1000, 2500)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private static final Map<HttpMethod, String> METHODS = Stream.of(
                    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
            .collect(Collectors.toMap(HttpMethod::valueOf, method -> method));

    private final Map<Verdict, Counter> decisions = new ConcurrentHashMap<>();
    private final Map<Kind, Timer> timers = new ConcurrentHashMap<>();
    private final AccessLogWriter lines;
    private final MeterRegistry metrics;

    RequestMetrics(AccessLogWriter lines, MeterRegistry metrics) {
        this.lines = lines;
        this.metrics = metrics;
    }

    void register(@Observes Filters filters) {
        filters.register(this::begin, PRIORITY);
    }

    private void begin(RoutingContext exchange) {
        SecurityHeaders.forbidSniffing(exchange.response().headers());
        if (!exchange.normalizedPath().startsWith(OPERATIONS)) {
            long start = System.nanoTime();
            String id = RequestId.take(exchange);
            Context context = exchange.vertx().getOrCreateContext();
            exchange.addEndHandler(
                    end -> record(exchange, context, id, status(exchange, end.succeeded()), System.nanoTime() - start));
        }
        exchange.next();
    }

    private static int status(RoutingContext exchange, boolean ended) {
        return ended || exchange.response().headWritten() ? exchange.response().getStatusCode() : CLIENT_GONE;
    }

    private void record(RoutingContext exchange, Context context, String id, int status, long nanos) {
        String route = Optional.<String>ofNullable(context.getLocal(ROUTE)).orElse("none");
        String method = METHODS.getOrDefault(exchange.request().method(), "other");
        Kind kind = new Kind(method, route, status);
        timers.computeIfAbsent(kind, this::timer).record(nanos, TimeUnit.NANOSECONDS);
        Admission admission = Admission.of(exchange);
        if (admission != null) {
            decisions
                    .computeIfAbsent(new Verdict(admission.plan(), admission.outcome()), this::counter)
                    .increment();
        }
        if (lines.isOn()) {
            lines.write(kind, nanos, id, admission);
        }
    }

    /** The plan's refusals begin at 0 with its first request, since Prometheus sees no increase in a series that begins with its first event. */
    private Counter counter(Verdict verdict) {
        REFUSALS.forEach(outcome -> register(new Verdict(verdict.plan(), outcome)));
        return register(verdict);
    }

    /** The route's defects begin at 0 with its first request, for the same reason. */
    private Timer timer(Kind kind) {
        register(new Kind(kind.method(), kind.route(), DEFECT));
        return register(kind);
    }

    private Counter register(Verdict verdict) {
        return Counter.builder("animalstore.quota.decisions")
                .description("Requests under /v1 by the plan of their key and by what the gate decided")
                .tags("plan", verdict.plan(), "outcome", verdict.outcome())
                .register(metrics);
    }

    private Timer register(Kind kind) {
        return Timer.builder("http.server.requests")
                .description("Requests of customers and operators, from the end of the head to the end of the answer")
                .tags("method", kind.method(), "uri", kind.route(), "status", Integer.toString(kind.status()))
                .serviceLevelObjectives(BUCKETS)
                .register(metrics);
    }

    /** What has a time of its own, and begins a line. There are few, since a client's inventions are all called the same. */
    record Kind(String method, String route, int status) {}

    /** What has a count of its own. */
    private record Verdict(String plan, String outcome) {}
}
