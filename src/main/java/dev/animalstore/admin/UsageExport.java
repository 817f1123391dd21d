package dev.animalstore.admin;

import dev.animalstore.usage.KeyDayUsage;
import dev.animalstore.usage.UsageReports;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * Streams usage as CSV (RFC 4180). Parts are read from the database and written one at a time, as fast as the client reads. No thread or
 * database connection is held between two parts.
 */
@Singleton
final class UsageExport {
    static final String TYPE = "text/csv";

    /** About 60 KB. */
    private static final int ROWS = 1000;

    /** How long a client may take to read a part before its connection is closed. */
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

    private static final long NONE = -1;
    private static final Logger LOG = Logger.getLogger(UsageExport.class);

    private final UsageReports usage;
    private final Audit audit;
    private final Vertx vertx;

    UsageExport(UsageReports usage, Audit audit, Vertx vertx) {
        this.usage = usage;
        this.audit = audit;
        this.vertx = vertx;
    }

    /**
     * All usage of some days, in parts.
     *
     * @param firstOnly whether to send the first part only
     * @param request the request of the response
     */
    Multi<byte[]> stream(DayRange days, boolean firstOnly, HttpServerRequest request) {
        AtomicLong timer = new AtomicLong(NONE);
        return Multi.createBy()
                .repeating()
                .uni(AtomicLong::new, position -> {
                    cancel(timer);
                    return part(days, position);
                })
                .whilst(part -> !part.isLast() && !firstOnly)
                .map(part -> part.text().getBytes(StandardCharsets.UTF_8))
                .invoke(() -> timer.set(vertx.setTimer(READ_TIMEOUT.toMillis(), ignored -> cutOff(request))))
                .onFailure()
                .invoke(failure -> LOG.warnf("An export of usage is incomplete: %s", failure.getMessage()))
                .onTermination()
                .invoke(() -> cancel(timer));
    }

    private static void cutOff(HttpServerRequest request) {
        LOG.warnf(
                "An export of usage is incomplete: the client did not read a part within %d s.",
                READ_TIMEOUT.toSeconds());
        var unused = request.connection().close();
    }

    private void cancel(AtomicLong timer) {
        long running = timer.getAndSet(NONE);
        if (running != NONE) {
            vertx.cancelTimer(running);
        }
    }

    private Uni<Part> part(DayRange days, AtomicLong position) {
        return Uni.createFrom()
                .item(() -> {
                    long after = position.get();
                    List<KeyDayUsage> rows = usage.page(days.from(), days.to(), after, ROWS);
                    if (!rows.isEmpty()) {
                        position.set(rows.get(rows.size() - 1).position());
                    }
                    if (after == 0) {
                        audit.recordStream("exportUsage");
                    }
                    return new Part((after == 0 ? Csv.HEADER : "") + Csv.lines(rows), rows.size() < ROWS);
                })
                .runSubscriptionOn(Infrastructure.getDefaultWorkerPool());
    }

    private record Part(String text, boolean isLast) {}
}
