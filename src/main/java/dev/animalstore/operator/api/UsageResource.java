package dev.animalstore.operator.api;

import dev.animalstore.metering.usage.Days;
import dev.animalstore.metering.usage.Days.Day;
import dev.animalstore.metering.usage.Days.Month;
import dev.animalstore.metering.usage.UsageReports;
import dev.animalstore.metering.usage.UsageReports.KeyDayUsage;
import dev.animalstore.operator.ReportQueue;
import dev.animalstore.operator.UsageExport;
import dev.animalstore.web.page.PageRequest;
import dev.animalstore.web.page.PageRequest.Limit;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import java.time.LocalDate;
import java.util.List;
import org.jboss.resteasy.reactive.RestMulti;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** Reports the usage of all keys to operators, in pages or as one CSV file. */
@ApplicationScoped
@Path(UsageResource.PATH)
public class UsageResource {
    static final String PATH = "/admin/usage";

    private static final int DEFAULT_DAYS = 1;

    private final UsageReports usage;
    private final ReportQueue reports;
    private final UsageExport export;
    private final Clock clock;

    UsageResource(UsageReports usage, ReportQueue reports, UsageExport export, Clock clock) {
        this.usage = usage;
        this.reports = reports;
        this.export = export;
        this.clock = clock;
    }

    /** Lists usage in the order of keys, then days, a page at a time. */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public Uni<RestResponse<List<KeyDayUsage>>> listUsage(
            @RestQuery Day from,
            @RestQuery Day to,
            @RestQuery Month month,
            @RestQuery @DefaultValue(Limit.DEFAULT) Limit limit,
            @RestQuery String cursor,
            HttpServerRequest request) {
        Days days = Days.of(from, to, month, LocalDate.now(clock), DEFAULT_DAYS);
        PageRequest page = PageRequest.of(PATH, limit, cursor, days.parameters());
        return reports.run(() -> page.response(
                usage.page(days.from(), days.to(), 0, page.after(), page.fetchSize()), KeyDayUsage::position, request));
    }

    /** All usage as CSV if the client prefers it to JSON. It has no pages, so their parameters have no effect. */
    @GET
    @Produces(UsageExport.TYPE)
    public RestMulti<byte[]> exportUsage(
            @RestQuery Day from,
            @RestQuery Day to,
            @RestQuery Month month,
            @RestQuery String limit,
            @RestQuery String cursor,
            RoutingContext exchange) {
        return export.file(exchange, Days.of(from, to, month, LocalDate.now(clock), DEFAULT_DAYS), 0);
    }
}
