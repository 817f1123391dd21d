package dev.animalstore.console;

import dev.animalstore.admin.ConsolePath;
import dev.animalstore.quota.QuotaMeter;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** The first page. */
@ApplicationScoped
@Path(ConsolePath.ROOT)
@Produces(MediaType.TEXT_HTML)
public class OverviewResource {
    private static final int OK = 200;

    private final QuotaMeter meter;
    private final ConsolePages pages;

    OverviewResource(QuotaMeter meter, ConsolePages pages) {
        this.meter = meter;
        this.pages = pages;
    }

    /** Shows how things stand. */
    @GET
    public Response showOverview(RoutingContext exchange) {
        return ConsolePages.show(
                OK,
                Templates.overview(pages.frame(exchange, "Overview", "overview"), new Overview(!meter.isDegraded())));
    }
}
