package dev.animalstore.operator;

import dev.animalstore.metering.usage.Days;
import dev.animalstore.metering.usage.UsageReports;
import dev.animalstore.metering.usage.UsageReports.KeyDayUsage;
import io.quarkus.logging.Log;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jboss.resteasy.reactive.RestMulti;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;

/**
 * Streams usage as CSV (RFC 4180). Parts are read from the database and written one at a time, as fast as the client reads. No thread or
 * database connection is held between two parts.
 */
@Singleton
public final class UsageExport {
    public static final String TYPE = "text/csv";

    /** About 60 KB. */
    private static final int MAXIMUM_ROWS = 1000;

    /** The names of the JSON members. */
    private static final String HEADER = "key,owner,plan,day,admitted,refused,banned\r\n";

    /** OWASP's rule for texts that spreadsheets interpret as formulas, by their first character. The last four are full-width. */
    private static final String FORMULA = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20";

    private final UsageReports usage;
    private final ReportQueue reports;
    private final Audit audit;

    UsageExport(UsageReports usage, ReportQueue reports, Audit audit) {
        this.usage = usage;
        this.reports = reports;
        this.audit = audit;
    }

    /**
     * All usage of some days as a file, but only its beginning for {@code HEAD}.
     *
     * @param key the key whose usage it is; 0 for all keys
     */
    public RestMulti<byte[]> file(RoutingContext exchange, Days days, long key) {
        ResteasyReactiveRequestContext request = CurrentRequestManager.get();
        boolean firstOnly = exchange.request().method().equals(HttpMethod.HEAD);
        Multi<byte[]> parts = Multi.createBy()
                .repeating()
                .uni(AtomicLong::new, position -> part(days, key, position))
                .whilst(part -> !part.isLast() && !firstOnly)
                .invoke(part -> audit.record(exchange, StatusCode.OK))
                // Quarkus REST does not end the request of a stream whose client disconnects.
                .onCancellation()
                .invoke(request::close)
                .map(part -> part.text().getBytes(StandardCharsets.UTF_8))
                // The failure of the first part is the response.
                .onFailure(failure -> exchange.response().headWritten())
                .invoke(failure -> Log.warnf("An export of usage is incomplete: %s", failure.getMessage()));
        String name = "usage-" + (key == 0 ? "" : "of-key-" + key + "-") + days.from() + "-" + days.to() + ".csv";
        return RestMulti.fromMultiData(parts)
                .header(HttpHeaders.CONTENT_TYPE, TYPE + ";charset=UTF-8;header=present")
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"" + name + "\"")
                .build();
    }

    /** The first part fails at once if the database does, since the client then gets its 503. */
    private Uni<Part> part(Days days, long key, AtomicLong position) {
        long after = position.get();
        Supplier<List<KeyDayUsage>> page = () -> usage.page(days.from(), days.to(), key, after, MAXIMUM_ROWS);
        return (after == 0 ? reports.run(page) : reports.runPatiently(page)).map(rows -> {
            if (!rows.isEmpty()) {
                position.set(rows.get(rows.size() - 1).position());
            }
            String lines = rows.stream().map(UsageExport::line).collect(Collectors.joining());
            return new Part(after == 0 ? HEADER + lines : lines, rows.size() < MAXIMUM_ROWS);
        });
    }

    private static String line(KeyDayUsage row) {
        return "%s,%s,%s,%s,%s,%s,%s\r\n"
                .formatted(
                        row.key(),
                        text(row.owner()),
                        text(row.plan()),
                        row.day(),
                        row.admitted(),
                        row.refused(),
                        row.banned());
    }

    /** A text that a spreadsheet whose separator is the comma does not take for a formula: an apostrophe marks it as text. */
    static String text(String value) {
        String harmless = !value.isEmpty() && FORMULA.indexOf(value.charAt(0)) >= 0 ? "'" + value : value;
        boolean quoted = harmless.chars().anyMatch(character -> ",;\"\r\n".indexOf(character) >= 0);
        return quoted ? "\"" + harmless.replace("\"", "\"\"") + "\"" : harmless;
    }

    private record Part(String text, boolean isLast) {}
}
