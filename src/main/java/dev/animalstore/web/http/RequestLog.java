package dev.animalstore.web.http;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.animalstore.web.FilterPriorities;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Context;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jboss.logmanager.MDC;

/**
 * Records each request of customers and operators: a line of the log's category {@code access}, with what others {@linkplain Details say} of the
 * request, the members of the log's other lines and its context, such as the trace; and its duration in the metric {@code http.server.requests} by method, route and status. Quarkus's binder of
 * that metric and the log's own formatter together take more of a refusal's time than decision 6 allows.
 */
@ApplicationScoped
public class RequestLog {
    private static final Logger LOG = Logger.getLogger("access");

    private static final int DEFECT = 500;

    /** The context's local in which Quarkus REST stores the template of the matched path. */
    private static final String ROUTE = "UrlPathTemplate";

    /** What the parameters of a template must match, such as {@code [0-9]{1,18}}. */
    private static final Pattern EXPRESSION = Pattern.compile(":([^{}]|\\{[^{}]*})*(?=})");

    private static final Duration[] BUCKETS = Stream.of(5, 10, 25, 50, 100, 250, 500, 1000, 2500)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private static final Map<HttpMethod, String> METHODS = Stream.of(
                    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
            .collect(Collectors.toMap(HttpMethod::valueOf, method -> method));

    private static final String DETAILS = Details.class.getName();

    private final Map<Kind, LineAndTimer> requests = new ConcurrentHashMap<>();
    private final AccessLogWriter writer;
    private final MeterRegistry metrics;

    /** Whether the log's context may have something. Each request that asks gets a new one. */
    private final boolean traced;

    /** Those of the last line. The writer calls {@link #append} for one line at a time. */
    private long second;

    private String secondText;

    /** Room for one value at a time. */
    private final StringBuilder quoted = new StringBuilder();

    RequestLog(
            AccessLogWriter writer,
            MeterRegistry metrics,
            @ConfigProperty(name = "quarkus.otel.sdk.disabled") boolean untraced) {
        this.writer = writer;
        this.metrics = metrics;
        traced = !untraced;
    }

    /** Adds details to the line of a request, in place of earlier ones. */
    public static void describe(RoutingContext exchange, Details details) {
        exchange.put(DETAILS, details);
    }

    /** Names the route of a request that matches no resource. */
    public static void setRoute(RoutingContext exchange, String route) {
        exchange.vertx().getOrCreateContext().putLocal(ROUTE, route);
    }

    /** What was said of a request last; {@code null} if nothing was. */
    public static Details details(RoutingContext exchange) {
        return exchange.get(DETAILS);
    }

    void register(@Observes Filters filters) {
        filters.register(this::begin, FilterPriorities.METRICS);
    }

    private void begin(RoutingContext exchange) {
        long start = System.nanoTime();
        Context context = exchange.vertx().getOrCreateContext();
        exchange.addEndHandler(ended -> record(exchange, context, System.nanoTime() - start));
        exchange.next();
    }

    private void record(RoutingContext exchange, Context context, long nanos) {
        if (Area.of(exchange) == Area.DOCUMENTS || exchange.request().path().equals("/")) {
            return;
        }
        int status = ResponseStatus.of(exchange);
        String route = context.getLocal(ROUTE);
        String method = METHODS.getOrDefault(exchange.request().method(), "other");
        Kind kind = new Kind(method, route == null ? "none" : route, status);
        LineAndTimer shared = requests.computeIfAbsent(kind, this::lineAndTimer);
        shared.timer().record(nanos, TimeUnit.NANOSECONDS);
        // What is outside of the areas of the engine has Quarkus's access log.
        if (LOG.isInfoEnabled() && Area.of(exchange) != Area.NONE) {
            writer.write(line -> append(shared.line(), nanos, exchange, line));
        }
    }

    private void append(String begin, long nanos, RoutingContext exchange, ByteBuf line) {
        appendTimestamp(line);
        append(begin, line);
        append(Long.toString(TimeUnit.NANOSECONDS.toMicros(nanos)), line);
        // A filter of others may have changed it.
        appendQuoted("request", String.valueOf(RequestScreening.id(exchange)), line);
        append("client", ClientAddress.of(exchange.request().remoteAddress()), line);
        Details details = details(exchange);
        if (details != null) {
            details.describe((name, value) -> appendQuoted(name, value, line));
        }
        if (traced) {
            MDC.copy().forEach((name, value) -> appendQuoted(name, value, line));
        }
        append("\"}}", line);
    }

    /** Appends the present time. Its text is made once per second, except the milliseconds. */
    private void appendTimestamp(ByteBuf line) {
        long now = System.currentTimeMillis();
        if (second != now / 1000) {
            second = now / 1000;
            secondText = "{\"timestamp\":\""
                    + Instant.ofEpochSecond(second).toString().replace("Z", ".");
        }
        append(secondText, line);
        append(Long.toString(1000 + now % 1000).substring(1), line);
    }

    /** Ends the value of a member, and begins that of another. */
    private static void append(String name, String value, ByteBuf line) {
        append("\",\"", line);
        append(name, line);
        append("\":\"", line);
        append(value, line);
    }

    private void appendQuoted(String name, String value, ByteBuf line) {
        append(name, "", line);
        quoted.setLength(0);
        JsonStringEncoder.getInstance().quoteAsString(value, quoted);
        append(quoted, line);
    }

    private static void append(CharSequence text, ByteBuf line) {
        ByteBufUtil.writeUtf8(line, text);
    }

    /** Registers the route's defects as 0 at its first request, since Prometheus sees no increase in a series that starts with its first event. */
    private LineAndTimer lineAndTimer(Kind matched) {
        Kind kind =
                new Kind(matched.method(), EXPRESSION.matcher(matched.route()).replaceAll(""), matched.status());
        timer(new Kind(kind.method(), kind.route(), DEFECT));
        String route = new String(JsonStringEncoder.getInstance().quoteAsString(kind.route()));
        String line =
                "Z\",\"loggerName\":\"access\",\"level\":\"INFO\",\"message\":\"" + kind.method() + ' ' + route + ' '
                        + kind.status() + "\",\"mdc\":{\"method\":\"" + kind.method() + "\",\"route\":\"" + route
                        + "\",\"status\":\""
                        + kind.status() + "\",\"micros\":\"";
        return new LineAndTimer(line, timer(kind));
    }

    private Timer timer(Kind kind) {
        return Timer.builder("http.server.requests")
                .description(
                        "Requests of customers and operators, from the end of the request's head to the end of the response")
                .tags("method", kind.method(), "uri", kind.route(), "status", Integer.toString(kind.status()))
                .serviceLevelObjectives(BUCKETS)
                .register(metrics);
    }

    /** What a line says of a request besides, such as whose it is. */
    public interface Details {
        /** Gives the names of the members and their values to {@code member}. The names need no quoting in JSON. */
        void describe(BiConsumer<String, String> member);
    }

    /** What distinguishes requests. There are few kinds, since all unknown methods and paths share one. */
    private record Kind(String method, String route, int status) {}

    /** What the lines of a kind share, between the time of day and the duration, and its timer. */
    private record LineAndTimer(String line, Timer timer) {}
}
