package dev.animalstore.gate;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.vertx.core.Vertx;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logmanager.Level;
import org.jboss.logmanager.Logger;
import org.jboss.logmanager.MDC;

/**
 * Writes the log's category {@code access}: one line of JSON per request, with the members of the production log's other lines and the
 * log's context, such as the trace identifier.
 *
 * <p>Lines are buffered and written to standard output together, every {@value #DELAY_MILLIS} ms or after {@value #BUFFER_BYTES} bytes, as
 * nginx does if {@code access_log} has a {@code buffer}. Formatted and written one by one by the log handlers, they took a fifth of the time
 * of a refusal. No line is dropped while the process runs; a slow reader of the output slows the service down.
 */
@Singleton
class AccessLogWriter {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int DELAY_MILLIS = 100;

    private final Logger category = Logger.getLogger("access");
    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(BUFFER_BYTES);
    private final PrintWriter lines = new PrintWriter(buffer, false, StandardCharsets.UTF_8);

    /** Whether the log's context is empty: only traces use it, and it is made anew for each request that asks for it. */
    private final boolean untraced;

    private long second;
    private String secondText;

    AccessLogWriter(Vertx vertx, @ConfigProperty(name = "quarkus.otel.sdk.disabled") boolean untraced) {
        this.untraced = untraced;
        vertx.setPeriodic(DELAY_MILLIS, ignored -> flush());
    }

    boolean isOn() {
        return category.isLoggable(Level.INFO);
    }

    /** The part of a line that all requests of a kind share, made once. */
    static String shared(String method, String route, String status) {
        return "\",\"loggerName\":\"access\",\"level\":\"INFO\",\"message\":\""
                + quote(method + ' ' + route + ' ' + status)
                + "\",\"mdc\":{\"method\":\"" + method + "\",\"route\":\"" + quote(route) + "\",\"status\":\"" + status;
    }

    /**
     * Writes the line of a request.
     *
     * @param requestId without characters that JSON escapes, as are the names of plans
     */
    synchronized void write(String shared, long nanos, String requestId, Verdict verdict) {
        writeTimestamp();
        lines.append(shared);
        lines.append("\",\"micros\":\"").print(TimeUnit.NANOSECONDS.toMicros(nanos));
        lines.append("\",\"request\":\"").append(requestId);
        if (verdict != null) {
            lines.append("\",\"key\":\"").append(verdict.keyId());
            lines.append("\",\"plan\":\"").append(verdict.plan());
            lines.append("\",\"outcome\":\"").append(verdict.outcome().toString());
        }
        if (!untraced && !MDC.isEmpty()) {
            MDC.copy()
                    .forEach((name, value) -> lines.append("\",\"")
                            .append(quote(name))
                            .append("\":\"")
                            .append(quote(value)));
        }
        lines.append("\"}}\n");
        if (buffer.size() >= BUFFER_BYTES) {
            flush();
        }
    }

    private static String quote(String text) {
        return new String(JsonStringEncoder.getInstance().quoteAsString(text));
    }

    /** Writes the present time. Its text is made once per second, but for the milliseconds. */
    private void writeTimestamp() {
        long now = System.currentTimeMillis();
        if (second != now / 1000) {
            second = now / 1000;
            secondText = "{\"timestamp\":\""
                    + Instant.ofEpochSecond(second).toString().replace("Z", ".");
        }
        lines.append(secondText).write(Long.toString(1000 + now % 1000), 1, 3);
        lines.append('Z');
    }

    /** Writes complete lines at once, so that other log output cannot split one. */
    @PreDestroy
    synchronized void flush() {
        lines.flush();
        try {
            buffer.writeTo(System.out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        System.out.flush();
        buffer.reset();
    }
}
