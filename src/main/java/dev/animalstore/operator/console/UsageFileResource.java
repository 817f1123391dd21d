package dev.animalstore.operator.console;

import dev.animalstore.metering.usage.Days;
import dev.animalstore.metering.usage.Days.Month;
import dev.animalstore.operator.KeyOperations;
import dev.animalstore.operator.UsageExport;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.time.Clock;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.List;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.RestMulti;
import org.jboss.resteasy.reactive.RestQuery;

/** The usage of a month, by default of today, as CSV: of all keys, or of one. */
@ApplicationScoped
@Path(ConsolePages.ROOT)
@Produces(UsageExport.TYPE)
public class UsageFileResource {
    static final String NAME = "/usage";

    /** Those that have days of the last 400, and the present one. */
    private static final int MONTHS = 14;

    private final UsageExport export;
    private final Clock clock;

    UsageFileResource(UsageExport export, Clock clock) {
        this.export = export;
        this.clock = clock;
    }

    @GET
    @Path(NAME)
    public RestMulti<byte[]> exportUsage(@RestQuery Month month, RoutingContext exchange) {
        return exportUsage(0, month, exchange);
    }

    /** That of a key which does not exist is empty. */
    @GET
    @Path("keys/" + KeyOperations.ID + NAME)
    public RestMulti<byte[]> exportUsage(long id, @RestQuery Month month, RoutingContext exchange) {
        return export.file(exchange, Days.of(null, null, month, Days.today(clock), 1), id);
    }

    /** The months from one day on that may have usage, the latest first. */
    static List<YearMonth> months(LocalDate from, LocalDate today) {
        YearMonth first = YearMonth.from(from);
        return Stream.iterate(YearMonth.from(today), month -> !month.isBefore(first), month -> month.minusMonths(1))
                .limit(MONTHS)
                .toList();
    }
}
