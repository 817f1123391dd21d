package dev.animalstore.metering.gate;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.animalstore.metering.gate.Verdict.Outcome;
import dev.animalstore.web.http.Area;
import dev.animalstore.web.http.ClientAddress;
import dev.animalstore.web.http.FilterPriorities;
import dev.animalstore.web.http.RequestScreening;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Context;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jboss.logmanager.MDC;

/**
 * Records each request of customers and operators: a line of the log's category {@code access}, with the members of its other lines and the
 * log's context, such as the trace; and its duration in the metric {@code http.server.requests} by method, route and status. Quarkus's binder of
 * that metric and the log's own formatter together take more of a refusal's time than decision 6 allows.
 */
@ApplicationScoped
class RequestLog {
    private static final Logger LOG = Logger.getLogger("access");

    /** The status that nginx logs if a client closes the connection before the response. HTTP does not define it. */
    private static final int CLIENT_GONE = 499;

    private static final int DEFECT = 500;

    /** The context's local in which Quarkus REST stores the template of the matched path. */
    private static final String ROUTE = "UrlPathTemplate";

    private static final Duration[] BUCKETS = Stream.of(5, 10, 25, 50, 100, 250, 500, 1000, 2500)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private static final Map<HttpMethod, String> METHODS = Stream.of(
                    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
            .collect(Collectors.toMap(HttpMethod::valueOf, method -> method));

    private final Map<Kind, Timer> timers = new ConcurrentHashMap<>();
    private final Map<String, Map<Outcome, Counter>> decisions = new ConcurrentHashMap<>();
    private final Counter rotatedSecrets;
    private final AccessLogWriter writer;
    private final MeterRegistry metrics;

    /** Whether the log's context may have something. Each request that asks gets a new one. */
    private final boolean traced;

    RequestLog(
            AccessLogWriter writer,
            MeterRegistry metrics,
            @ConfigProperty(name = "quarkus.otel.sdk.disabled") boolean untraced) {
        this.writer = writer;
        this.metrics = metrics;
        traced = !untraced;
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
        Kind kind = new Kind(method, route == null ? "none" : route, status);
        timers.computeIfAbsent(kind, this::timers).record(nanos, TimeUnit.NANOSECONDS);
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
        if (LOG.isInfoEnabled()) {
            writer.write(line -> append(line, exchange, kind, nanos, verdict));
        }
    }

    private void append(StringBuilder line, RoutingContext exchange, Kind kind, long nanos, Verdict verdict) {
        line.append("{\"timestamp\":\"").append(Instant.now());
        line.append("\",\"loggerName\":\"access\",\"level\":\"INFO\",\"message\":\"");
        line.append(kind.method()).append(' ');
        quote(kind.route(), line);
        line.append(' ').append(kind.status());
        line.append("\",\"mdc\":{\"method\":\"").append(kind.method());
        member("route", kind.route(), line);
        line.append("\",\"status\":\"").append(kind.status());
        line.append("\",\"micros\":\"").append(TimeUnit.NANOSECONDS.toMicros(nanos));
        member("request", RequestScreening.id(exchange), line);
        member("client", ClientAddress.of(exchange.request().remoteAddress()), line);
        if (verdict != null) {
            member("key", verdict.keyId(), line);
            member("plan", verdict.plan(), line);
            member("outcome", verdict.outcome().toString(), line);
            if (verdict.hasRotatedSecret()) {
                // So that operators see who has not switched.
                member("secret", "rotated", line);
            }
        }
        if (traced) {
            MDC.copy().forEach((name, value) -> member(name, value, line));
        }
        line.append("\"}}");
    }

    /** Ends the value of a member, and begins that of another. */
    private static void member(String name, String value, StringBuilder line) {
        line.append("\",\"").append(name).append("\":\"");
        quote(value, line);
    }

    private static void quote(String text, StringBuilder line) {
        JsonStringEncoder.getInstance().quoteAsString(text, line);
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
    private Timer timers(Kind kind) {
        timer(new Kind(kind.method(), kind.route(), DEFECT));
        return timer(kind);
    }

    private Timer timer(Kind kind) {
        return Timer.builder("http.server.requests")
                .description(
                        "Requests of customers and operators, from the end of the request's head to the end of the response")
                .tags("method", kind.method(), "uri", kind.route(), "status", Integer.toString(kind.status()))
                .serviceLevelObjectives(BUCKETS)
                .register(metrics);
    }

    /** What distinguishes requests. There are few kinds, since all unknown methods and paths share one. */
    private record Kind(String method, String route, int status) {}
}
