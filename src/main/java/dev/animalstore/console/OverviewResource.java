package dev.animalstore.console;

import dev.animalstore.admin.ConsolePath;
import dev.animalstore.admin.KeyOperations;
import dev.animalstore.admin.ManagedKey;
import dev.animalstore.console.Overview.Totals;
import dev.animalstore.quota.BanConfig;
import dev.animalstore.usage.UsageTotals;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.jboss.logging.Logger;

/** The first page of the console. */
@ApplicationScoped
@Path(ConsolePath.ROOT)
@Produces(MediaType.TEXT_HTML)
public class OverviewResource {
    private static final Logger LOG = Logger.getLogger(OverviewResource.class);
    private static final int OK = 200;
    private static final int MOST_KEYS = 10;

    /** The maximum number of recently banned keys whose ban is queried. */
    private static final int MOST_BANS = 200;

    private final KeyOperations keys;
    private final UsageTotals totals;
    private final BanConfig bans;
    private final ConsolePages pages;
    private final Clock clock;

    OverviewResource(KeyOperations keys, UsageTotals totals, BanConfig bans, ConsolePages pages, Clock clock) {
        this.keys = keys;
        this.totals = totals;
        this.bans = bans;
        this.pages = pages;
        this.clock = clock;
    }

    /** Shows the overview. */
    @GET
    public Response showOverview(RoutingContext exchange) {
        Instant now = clock.instant();
        List<ManagedKey> suspects = suspects(now);
        // Decided by the responses, since the circuit breaker does not know yet that Redis has just begun to hang.
        boolean shared = suspects.stream().allMatch(ManagedKey::shared) && keys.areQuotasShared();
        Overview overview = new Overview(shared, banned(suspects, now), sum(now));
        return ConsolePages.show(OK, Templates.overview(pages.frame(exchange, "Overview", "overview"), overview));
    }

    /** Every banned key had requests refused since its ban began, so its usage shows it soon. */
    private List<ManagedKey> suspects(Instant now) {
        LocalDate first = LocalDate.ofInstant(now.minus(bans.longest()), ZoneOffset.UTC);
        return keys.list(totals.banned(first, LocalDate.ofInstant(now, ZoneOffset.UTC), MOST_BANS));
    }

    private static List<KeyView> banned(List<ManagedKey> suspects, Instant now) {
        return suspects.stream()
                .filter(key -> key.ban() != null && key.revokedAt() == null)
                .map(key -> new KeyView(key, now))
                .toList();
    }

    /** Sums that exceed the timeout of a statement are left out, since the rest of the page is useful without them. */
    private Totals sum(Instant now) {
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        LocalDate first = today.minusDays(UsageChart.DAYS - 1L);
        try {
            return new Totals(
                    first,
                    today,
                    totals.ofPlans(first, today),
                    totals.mostAdmitted(first, today, MOST_KEYS),
                    totals.mostRefused(first, today, MOST_KEYS));
        } catch (RuntimeException tooLong) {
            LOG.warnf("The usage of %d days could not be summed: %s", UsageChart.DAYS, tooLong.getMessage());
            return null;
        }
    }
}
