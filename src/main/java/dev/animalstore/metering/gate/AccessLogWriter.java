package dev.animalstore.metering.gate;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.AsciiString;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logmanager.Level;
import org.jboss.logmanager.Logger;
import org.jboss.logmanager.MDC;

/**
 * Writes the log's category {@code access}: one line of JSON per request, with the members of the production log's other lines and the
 * log's context, such as the trace identifier.
 *
 * <p>Lines are buffered, and a separate thread writes them to standard output every {@value #DELAY_MILLIS} ms, so that no request waits for
 * the output to be read. Beyond {@value #MAXIMUM_BYTES} buffered bytes lines are dropped and counted. Formatted and written one by one by
 * the log's handlers, they took a fifth of the time of a refusal.
 */
@Singleton
class AccessLogWriter {
    private static final int MAXIMUM_BYTES = 1024 * 1024;
    private static final int DELAY_MILLIS = 100;

    private final Logger category = Logger.getLogger("access");
    private final ScheduledExecutorService writer =
            Executors.newSingleThreadScheduledExecutor(run -> new Thread(run, "access-log"));
    private final Counter dropped;

    /** Without traces the log's context is empty. It is not asked then, since each request that asks gets a new one. */
    private final boolean untraced;

    private ByteBuf lines = Unpooled.buffer();

    /** Complete lines that are being written. For use by the thread that writes. */
    private ByteBuf complete = Unpooled.buffer();

    private long second;
    private String secondText;

    AccessLogWriter(MeterRegistry metrics, @ConfigProperty(name = "quarkus.otel.sdk.disabled") boolean untraced) {
        this.untraced = untraced;
        dropped = Counter.builder("animalstore.access.log.dropped")
                .description("Lines of the access log that were dropped because standard output was not read")
                .register(metrics);
        var unused = writer.scheduleWithFixedDelay(this::flush, DELAY_MILLIS, DELAY_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** The part of a line that all requests of a kind share, made once. Methods, routes and statuses are ASCII. */
    static AsciiString linePrefix(String method, String route, String status) {
        return new AsciiString("\",\"loggerName\":\"access\",\"level\":\"INFO\",\"message\":\""
                + quote(method + ' ' + route + ' ' + status)
                + "\",\"mdc\":{\"method\":\"" + method + "\",\"route\":\"" + quote(route) + "\",\"status\":\""
                + status
                + "\",\"micros\":\"");
    }

    /** Writes the line of a request, unless the category is off. Identifiers and names of plans have no characters that JSON escapes. */
    synchronized void write(AsciiString linePrefix, long nanos, String requestId, Verdict verdict) {
        if (!category.isLoggable(Level.INFO)) {
            return;
        }
        if (lines.readableBytes() > MAXIMUM_BYTES) {
            dropped.increment();
            return;
        }
        writeTimestamp();
        append(linePrefix);
        append(Long.toString(TimeUnit.NANOSECONDS.toMicros(nanos)));
        member("request", requestId);
        if (verdict != null) {
            member("key", verdict.keyId());
            member("plan", verdict.plan());
            member("outcome", verdict.outcome().toString());
            if (verdict.hasRotatedSecret()) {
                // So that operators see who has not switched.
                member("secret", "rotated");
            }
        }
        if (!untraced && !MDC.isEmpty()) {
            MDC.copy().forEach((name, value) -> member(quote(name), quote(value)));
        }
        append("\"}}\n");
    }

    /** Ends the value of a member, and begins that of another. */
    private void member(String name, String value) {
        append("\",\"");
        append(name);
        append("\":\"");
        append(value);
    }

    private void append(CharSequence text) {
        lines.writeCharSequence(text, StandardCharsets.UTF_8);
    }

    private static String quote(String text) {
        return new String(JsonStringEncoder.getInstance().quoteAsString(text));
    }

    /** Writes the present time. Its text is made once per second, except the milliseconds. */
    private void writeTimestamp() {
        long now = System.currentTimeMillis();
        if (second != now / 1000) {
            second = now / 1000;
            secondText = "{\"timestamp\":\""
                    + Instant.ofEpochSecond(second).toString().replace("Z", ".");
        }
        append(secondText);
        append(Long.toString(1000 + now % 1000).substring(1) + 'Z');
    }

    /** Writes complete lines at once, so that other log output cannot split one. */
    private void flush() {
        synchronized (this) {
            ByteBuf written = complete;
            complete = lines;
            lines = written;
        }
        System.out.write(complete.array(), 0, complete.readableBytes());
        System.out.flush();
        complete.clear();
    }

    /** Writes the last lines, unless standard output is blocked. */
    @PreDestroy
    void stop() throws InterruptedException {
        writer.shutdown();
        if (writer.awaitTermination(1, TimeUnit.SECONDS)) {
            flush();
        }
    }
}
