package dev.animalstore.gate;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.vertx.core.Vertx;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jboss.logmanager.Level;
import org.jboss.logmanager.Logger;
import org.jboss.logmanager.MDC;

/**
 * Writes the log's category {@code access}: one line of JSON per request, with the members of the production log's other lines and the
 * log's context, such as the trace identifier.
 *
 * <p>Lines are buffered and written to standard output together, after {@value #DELAY_MILLIS} ms or {@value #BUFFER_LENGTH} characters, as
 * nginx does if {@code access_log} has a {@code buffer}. Formatted and written one by one by the log handlers, they took a fifth of the time
 * of a refusal. No line is dropped while the process runs; a slow reader of the output slows the service down.
 */
@Singleton
class AccessLogWriter {
    private static final int BUFFER_LENGTH = 64 * 1024;
    private static final int DELAY_MILLIS = 100;

    private final Logger category = Logger.getLogger("access");
    private final StringBuilder buffer = new StringBuilder(BUFFER_LENGTH);
    private final Vertx vertx;
    private boolean flushScheduled;
    private long millis;
    private String timestamp;

    AccessLogWriter(Vertx vertx) {
        this.vertx = vertx;
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
        buffer.append("{\"timestamp\":\"").append(now()).append(shared);
        buffer.append("\",\"micros\":\"").append(TimeUnit.NANOSECONDS.toMicros(nanos));
        buffer.append("\",\"request\":\"").append(requestId);
        if (verdict != null) {
            buffer.append("\",\"key\":\"").append(verdict.keyId());
            buffer.append("\",\"plan\":\"").append(verdict.plan());
            buffer.append("\",\"outcome\":\"").append(verdict.outcome());
        }
        if (!MDC.isEmpty()) {
            MDC.copy()
                    .forEach((name, value) -> buffer.append("\",\"")
                            .append(quote(name))
                            .append("\":\"")
                            .append(quote(value)));
        }
        buffer.append("\"}}\n");
        if (buffer.length() >= BUFFER_LENGTH) {
            flush();
        } else if (!flushScheduled) {
            flushScheduled = true;
            vertx.setTimer(DELAY_MILLIS, ignored -> flush());
        }
    }

    private static String quote(String text) {
        return new String(JsonStringEncoder.getInstance().quoteAsString(text));
    }

    /** The time as text, which is made once per millisecond. */
    private String now() {
        long now = System.currentTimeMillis();
        if (now != millis) {
            millis = now;
            timestamp = Instant.ofEpochMilli(now).toString();
        }
        return timestamp;
    }

    /** Writes complete lines at once, so that other log output cannot split one. */
    @PreDestroy
    synchronized void flush() {
        flushScheduled = false;
        byte[] lines = buffer.toString().getBytes(StandardCharsets.UTF_8);
        System.out.write(lines, 0, lines.length);
        System.out.flush();
        buffer.setLength(0);
    }
}
