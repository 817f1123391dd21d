package dev.animalstore.admin;

import dev.animalstore.page.PageRequest;
import dev.animalstore.page.Pages;
import dev.animalstore.request.QueryParameters;
import dev.animalstore.usage.KeyDayUsage;
import dev.animalstore.usage.UsageReports;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.time.Clock;
import java.time.LocalDate;
import java.util.List;
import org.jboss.resteasy.reactive.RestMulti;
import org.jboss.resteasy.reactive.RestResponse;

/** Reports the usage of all keys to operators, in pages or as one CSV file. */
@ApplicationScoped
@Path("/admin/usage")
public class UsageResource {
    private static final int DEFAULT_DAYS = 1;

    private final UsageReports usage;
    private final UsageExport export;
    private final Pages pages;
    private final Clock clock;

    UsageResource(UsageReports usage, UsageExport export, Pages pages, Clock clock) {
        this.usage = usage;
        this.export = export;
        this.pages = pages;
        this.clock = clock;
    }

    /** Lists usage in the order of keys, then days, a page at a time. */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public RestResponse<List<KeyDayUsage>> listUsage(UriInfo uri) {
        DayRange days = days(uri);
        PageRequest page = pages.read(uri, days.parameters());
        return page.response(usage.page(days.from(), days.to(), page.after(), page.fetchSize()), KeyDayUsage::position);
    }

    /** All usage as CSV, without pages. */
    @GET
    @Produces(UsageExport.TYPE)
    public RestMulti<byte[]> exportUsage(UriInfo uri, RoutingContext exchange) {
        DayRange days = days(uri);
        boolean headersOnly = exchange.request().method().equals(HttpMethod.HEAD);
        String file = "usage-" + days.from() + "-" + days.to() + ".csv";
        return RestMulti.fromMultiData(export.stream(days, headersOnly, exchange.request()))
                .header(HttpHeaders.CONTENT_TYPE, UsageExport.TYPE + ";charset=UTF-8;header=present")
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"" + file + "\"")
                .build();
    }

    private DayRange days(UriInfo uri) {
        return DayRange.read(new QueryParameters(uri), LocalDate.now(clock), DEFAULT_DAYS);
    }
}
