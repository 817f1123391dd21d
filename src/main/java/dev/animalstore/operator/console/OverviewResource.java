package dev.animalstore.operator.console;

import dev.animalstore.metering.usage.UsageReports;
import dev.animalstore.metering.usage.UsageReports.DayUsage;
import dev.animalstore.metering.usage.UsageReports.KeyTotal;
import dev.animalstore.metering.usage.UsageReports.PlanTotal;
import dev.animalstore.operator.KeyDirectory;
import dev.animalstore.operator.KeySearch;
import dev.animalstore.operator.KeySearch.State;
import dev.animalstore.operator.ManagedKey;
import dev.animalstore.operator.ReportQueue;
import dev.animalstore.operator.console.KeyView.Bar;
import io.quarkus.logging.Log;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.QueryTimeoutException;
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
import java.util.Locale;
import java.util.stream.Collectors;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;

/** The first page of the console. */
@ApplicationScoped
@Path(ConsolePages.ROOT)
@Produces(MediaType.TEXT_HTML)
public class OverviewResource {
    private static final int MOST_KEYS = 10;

    private final KeyDirectory keys;
    private final UsageReports totals;
    private final ReportQueue reports;
    private final Clock clock;

    OverviewResource(KeyDirectory keys, UsageReports totals, ReportQueue reports, Clock clock) {
        this.keys = keys;
        this.totals = totals;
        this.reports = reports;
        this.clock = clock;
    }

    /** Sums that exceed the time of a report are left out ({@code null}), since the rest of the page is useful without them. */
    @GET
    public Uni<Response> showOverview(RoutingContext exchange) {
        Instant now = clock.instant();
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        return reports.run(() -> sum(today.minusDays(UsageChart.DAYS - 1L), today, now))
                .onFailure(QueryTimeoutException.class)
                .recoverWithItem(OverviewResource::none)
                .chain(sums -> reports.run(() -> show(exchange, now, today, sums)));
    }

    private static Totals none(Throwable tooLong) {
        Log.warnf("The usage of %s days could not be summed: %s", UsageChart.DAYS, tooLong.getMessage());
        return null;
    }

    private Response show(RoutingContext exchange, Instant now, LocalDate today, Totals sums) {
        List<ManagedKey> banned = some(State.BANNED);
        List<ManagedKey> expiring = some(State.EXPIRING);
        return ConsolePages.show(
                exchange,
                StatusCode.OK,
                Templates.overview(
                        keys.areQuotasShared(banned),
                        KeyView.list(banned, now),
                        KeyView.list(expiring, now),
                        sums,
                        UsageFileResource.months(LocalDate.EPOCH, today)));
    }

    private List<ManagedKey> some(State state) {
        return keys.list(new KeySearch(null, null, null, state, false), 0, MOST_KEYS);
    }

    private Totals sum(LocalDate first, LocalDate today, Instant now) {
        return new Totals(
                UsageChart.of(totals.ofDays(first, today), today, 0),
                first,
                today,
                totals.ofPlans(first, today),
                totals.ofPlans(first.minusDays(UsageChart.DAYS), first.minusDays(1)),
                keys.list(totals.nearLimit(today, MOST_KEYS)).stream()
                        .map(key -> near(key, today, now))
                        .toList(),
                totals.mostAdmitted(first, today, MOST_KEYS),
                totals.mostRefused(first, today, MOST_KEYS));
    }

    /** While Redis is unavailable, a key has used at least what is recorded; this replica knows its own part only. */
    private Near near(ManagedKey key, LocalDate today, Instant now) {
        KeyView view = new KeyView(key, now);
        if (key.shared()) {
            return new Near(view, view.day());
        }
        List<DayUsage> recorded = totals.ofKey(key.id(), today, today);
        long admitted = recorded.stream().mapToLong(DayUsage::admitted).sum();
        return new Near(view, new Bar(admitted, key.limits().perDay()));
    }

    /** A key that is near its limit per day, and what it has used of it. */
    record Near(KeyView view, Bar day) {}

    /** Sums of usage by day and over those days, by plan over as many days before, and the keys that have used most of their limit per day today. */
    record Totals(
            UsageChart chart,
            LocalDate from,
            LocalDate to,
            List<PlanTotal> plans,
            List<PlanTotal> before,
            List<Near> near,
            List<KeyTotal> mostAdmitted,
            List<KeyTotal> mostRefused) {

        /** The number of requests that a full bar of a plan stands for. */
        public long most() {
            return plans.stream().mapToLong(PlanTotal::admitted).max().orElse(1);
        }

        /** By how much a plan has more admitted requests than before, such as {@code +7.5 %}; empty if there were none. */
        public String change(PlanTotal now) {
            return before.stream()
                    .filter(plan -> plan.plan().equals(now.plan()) && plan.admitted() > 0)
                    .map(plan -> 100.0 * (now.admitted() - plan.admitted()) / plan.admitted())
                    .map(percent -> String.format(Locale.ROOT, "%+.1f %%", percent))
                    .collect(Collectors.joining());
        }
    }
}
