package dev.animalstore.admin;

import dev.animalstore.admin.DayRange.Day;
import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.page.PageRequest;
import dev.animalstore.page.PageRequest.Limit;
import dev.animalstore.usage.UsageReports;
import dev.animalstore.usage.UsageReports.KeyDayUsage;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Variant;
import java.time.Clock;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import org.jboss.resteasy.reactive.RestMulti;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** Reports the usage of all keys to operators, in pages or as one CSV file. */
@ApplicationScoped
@Path(UsageResource.PATH)
public class UsageResource {
    static final String PATH = "/admin/usage";

    private static final int DEFAULT_DAYS = 1;

    /** The paths that are matched to this resource. */
    static final Set<String> PATHS = Set.of(PATH, PATH + "/");

    private static final List<Variant> FORMATS = Variant.mediaTypes(
                    MediaType.APPLICATION_JSON_TYPE, MediaType.valueOf(UsageExport.TYPE))
            .build();

    private final UsageReports usage;
    private final UsageExport export;
    private final Clock clock;

    UsageResource(UsageReports usage, UsageExport export, Clock clock) {
        this.usage = usage;
        this.export = export;
        this.clock = clock;
    }

    /**
     * Chooses the format by {@code Accept} (RFC 9110, section 12.5.1), JSON if both are equally preferred, and sets it as the only one in the
     * request: otherwise the framework picks either of two methods with one path for a wildcard.
     *
     * @throws ApiException {@code not_acceptable} if it is neither
     */
    static void chooseFormat(ContainerRequestContext request) {
        Variant format = request.getRequest().selectVariant(FORMATS);
        if (format == null) {
            throw new ApiException(
                    ErrorCode.NOT_ACCEPTABLE,
                    "Responses are application/json or text/csv; the Accept header excludes both.");
        }
        request.getHeaders().putSingle(HttpHeaders.ACCEPT, format.getMediaType().toString());
    }

    /** Lists usage in the order of keys, then days, a page at a time. */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public RestResponse<List<KeyDayUsage>> listUsage(
            @RestQuery Day from,
            @RestQuery Day to,
            @RestQuery @DefaultValue(Limit.DEFAULT) Limit limit,
            @RestQuery String cursor,
            HttpServerRequest request) {
        DayRange days = DayRange.of(from, to, LocalDate.now(clock), DEFAULT_DAYS);
        PageRequest page = PageRequest.of(PATH, limit, cursor, days.parameters());
        return page.response(
                usage.page(days.from(), days.to(), page.after(), page.fetchSize()), KeyDayUsage::position, request);
    }

    /** All usage as CSV, without pages. */
    @GET
    @Produces(UsageExport.TYPE)
    public RestMulti<byte[]> exportUsage(@RestQuery Day from, @RestQuery Day to, HttpServerRequest request) {
        DayRange days = DayRange.of(from, to, LocalDate.now(clock), DEFAULT_DAYS);
        String file = "usage-" + days.from() + "-" + days.to() + ".csv";
        return RestMulti.fromMultiData(export.stream(days, request.method().equals(HttpMethod.HEAD)))
                .header(HttpHeaders.CONTENT_TYPE, UsageExport.TYPE + ";charset=UTF-8;header=present")
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"" + file + "\"")
                .build();
    }
}
