package dev.animalstore.gate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import io.vertx.core.Vertx;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jboss.logmanager.Level;
import org.jboss.logmanager.Logger;
import org.jboss.logmanager.MDC;

/**
 * The lines of the log's category {@code access}: JSON of the same members as the log's other lines have in production, with what the log's
 * context adds, such as the identifier of the trace.
 *
 * <p>They are gathered and written to the standard output together, after {@value #DELAY_MILLIS} ms or {@value #GATHERED_BYTES} bytes, as
 * those of nginx where its {@code access_log} has a {@code buffer}: formatted and written one by one by the handlers of the log, they took
 * a fifth of the time of a refusal. None is dropped while the process runs; whoever reads the output too slowly slows the service.
 */
@Singleton
class AccessLogWriter {
    private static final int GATHERED_BYTES = 64 * 1024;
    private static final int DELAY_MILLIS = 100;

    private static final JsonFactory LINES =
            new JsonFactoryBuilder().rootValueSeparator("").build();

    private final Logger category = Logger.getLogger("access");
    private final ByteArrayOutputStream gathered = new ByteArrayOutputStream(GATHERED_BYTES);
    private final JsonGenerator json;
    private final Vertx vertx;
    private boolean due;

    AccessLogWriter(Vertx vertx) throws IOException {
        this.vertx = vertx;
        json = LINES.createGenerator(gathered);
    }

    /** Whether lines are written at all. */
    boolean isOn() {
        return category.isLoggable(Level.INFO);
    }

    /** Writes the line of a request. */
    synchronized void write(RequestMetrics.Kind kind, long nanos, String requestId, Admission admission) {
        try {
            json.writeStartObject();
            json.writeStringField("timestamp", Instant.now().toString());
            json.writeStringField("loggerName", category.getName());
            json.writeStringField("level", Level.INFO.getName());
            json.writeStringField("message", kind.method() + ' ' + kind.route() + ' ' + kind.status());
            json.writeObjectFieldStart("mdc");
            json.writeStringField("method", kind.method());
            json.writeStringField("route", kind.route());
            json.writeStringField("status", Integer.toString(kind.status()));
            json.writeStringField("micros", Long.toString(TimeUnit.NANOSECONDS.toMicros(nanos)));
            json.writeStringField("request", requestId);
            if (admission != null) {
                json.writeStringField("key", admission.keyId());
                json.writeStringField("plan", admission.plan());
                json.writeStringField("outcome", admission.outcome());
            }
            for (Map.Entry<String, String> member : MDC.copy().entrySet()) {
                json.writeStringField(member.getKey(), member.getValue());
            }
            json.writeEndObject();
            json.writeEndObject();
            json.writeRaw('\n');
            json.flush();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        if (gathered.size() >= GATHERED_BYTES) {
            flush();
        } else if (!due) {
            due = true;
            vertx.setTimer(DELAY_MILLIS, timer -> flush());
        }
    }

    /** Writes whole lines at once, so that none is torn by one that the log writes meanwhile. */
    @PreDestroy
    synchronized void flush() {
        due = false;
        System.out.write(gathered.toByteArray(), 0, gathered.size());
        System.out.flush();
        gathered.reset();
    }
}
