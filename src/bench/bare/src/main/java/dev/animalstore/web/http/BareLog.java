package dev.animalstore.web.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The metric and the log line of a request, as of the service's RequestLog, whose writer ../run copies here. */
@ApplicationScoped
class BareLog {
    private static final Duration[] BUCKETS =
            Stream.of(5, 10, 25, 50, 100, 250, 500, 1000, 2500).map(Duration::ofMillis).toArray(Duration[]::new);

    private final Map<String, Timer> timers = new ConcurrentHashMap<>();
    private final AccessLogWriter writer;
    private final MeterRegistry metrics;

    BareLog(AccessLogWriter writer, MeterRegistry metrics) {
        this.writer = writer;
        this.metrics = metrics;
    }

    void register(@Observes Filters filters) {
        filters.register(this::begin, 100);
    }

    private void begin(RoutingContext exchange) {
        long start = System.nanoTime();
        exchange.addEndHandler(ended -> record(exchange, System.nanoTime() - start));
        exchange.next();
    }

    private void record(RoutingContext exchange, long nanos) {
        timers.computeIfAbsent(exchange.request().path(), this::timer).record(nanos, TimeUnit.NANOSECONDS);
        writer.write(line -> {
            append("{\"timestamp\":\"2026-11-27T12:00:00.000Z\",\"loggerName\":\"access\",\"level\":\"INFO\",\"message\":\"", line);
            append("GET /v1/pets 200\",\"mdc\":{\"method\":\"GET\",\"route\":\"/v1/pets\",\"status\":\"200\",\"micros\":\"", line);
            append(Long.toString(TimeUnit.NANOSECONDS.toMicros(nanos)), line);
            append("\",\"request\":\"a4231845c828a9fad11322dcf382b1c2\",\"client\":\"", line);
            append(exchange.request().remoteAddress().host(), line);
            append("\",\"key\":\"none\",\"plan\":\"none\",\"outcome\":\"admitted\"}}", line);
        });
    }

    private static void append(String text, ByteBuf line) {
        ByteBufUtil.writeUtf8(line, text);
    }

    private Timer timer(String path) {
        return Timer.builder("http.server.requests")
                .tags("uri", path)
                .serviceLevelObjectives(BUCKETS)
                .register(metrics);
    }
}
