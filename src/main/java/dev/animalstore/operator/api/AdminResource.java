package dev.animalstore.operator.api;

import dev.animalstore.metering.usage.Days;
import dev.animalstore.metering.usage.Days.Day;
import dev.animalstore.metering.usage.Days.Month;
import dev.animalstore.metering.usage.UsageReports;
import dev.animalstore.metering.usage.UsageReports.DayUsage;
import dev.animalstore.metering.usage.UsageReports.KeyDayUsage;
import dev.animalstore.operator.KeyChange;
import dev.animalstore.operator.KeyDirectory;
import dev.animalstore.operator.KeyFilter;
import dev.animalstore.operator.KeyOperations;
import dev.animalstore.operator.KeyRequests;
import dev.animalstore.operator.ManagedKey;
import dev.animalstore.operator.Operator;
import dev.animalstore.operator.ReportQueue;
import dev.animalstore.operator.SignedInFilter.ForReaders;
import dev.animalstore.operator.UsageExport;
import dev.animalstore.web.page.PageRequest;
import dev.animalstore.web.page.PageRequest.Limit;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.net.URI;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jboss.resteasy.reactive.RestMulti;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** {@link KeyDirectory}, {@link KeyOperations} and {@link UsageReports} over HTTP and JSON, for operators; usage also as one CSV file. */
@ApplicationScoped
@Path(AdminResource.PATH)
@Produces(MediaType.APPLICATION_JSON)
public class AdminResource {
    static final String PATH = "/admin";
    private static final String KEYS = "keys";
    private static final String LIST = PATH + "/" + KEYS;
    private static final String KEY = KEYS + "/" + KeyOperations.ID;

    static final String USAGE = PATH + "/usage";

    private static final int DEFAULT_DAYS_OF_USAGE = 30;

    private final KeyDirectory keys;
    private final KeyOperations operations;
    private final UsageReports usage;
    private final UsageExport export;
    private final ReportQueue reports;
    private final Clock clock;

    AdminResource(
            KeyDirectory keys,
            KeyOperations operations,
            UsageReports usage,
            UsageExport export,
            ReportQueue reports,
            Clock clock) {
        this.keys = keys;
        this.operations = operations;
        this.usage = usage;
        this.export = export;
        this.reports = reports;
        this.clock = clock;
    }

    /** Issues a key. No other response shows its secret. */
    @POST
    @Path(KEYS)
    public RestResponse<ManagedKey> issueKey(KeyRequests.NewKey wanted, RoutingContext exchange) {
        ManagedKey issued = operations.issue(Operator.of(exchange), wanted, id -> {});
        return RestResponse.ResponseBuilder.<ManagedKey>created(URI.create(LIST + "/" + issued.id()))
                .entity(issued)
                .build();
    }

    /** Lists keys in the order of their identifiers, a page at a time: all, or those that match. */
    @GET
    @Path(KEYS)
    public Uni<RestResponse<List<ManagedKey>>> listKeys(
            @RestQuery String owner,
            @RestQuery String ownerIs,
            @RestQuery String plan,
            @RestQuery String state,
            @RestQuery String order,
            @RestQuery @DefaultValue(Limit.DEFAULT) Limit limit,
            @RestQuery String cursor,
            HttpServerRequest request) {
        KeyFilter filter = KeyFilter.of(owner, ownerIs, plan, state, order);
        PageRequest page = PageRequest.of(LIST, limit, cursor, filter.given());
        return reports.search(
                filter.search(),
                () -> page.response(
                        keys.list(filter.search(), page.after(), page.fetchSize()), ManagedKey::id, request));
    }

    @GET
    @Path(KEY)
    public ManagedKey getKey(long id, RoutingContext exchange) {
        return keys.get(Operator.of(exchange), id);
    }

    /** Shows the key that a secret belongs to. The secret is in the body, since paths and queries appear in logs and histories. */
    @POST
    @ForReaders
    @Path(KEYS + "/lookup")
    public ManagedKey lookupKey(KeyRequests.Lookup wanted, RoutingContext exchange) {
        return keys.lookUp(Operator.of(exchange), wanted);
    }

    /** Shows the usage of a key, revoked or not, on the days on which it sent requests. */
    @GET
    @Path(KEY + "/usage")
    public List<DayUsage> getKeyUsage(
            long id, @RestQuery Day from, @RestQuery Day to, @RestQuery Month month, RoutingContext exchange) {
        Days days = Days.of(from, to, month, Days.today(clock), DEFAULT_DAYS_OF_USAGE);
        keys.get(Operator.of(exchange), id);
        return usage.ofKey(id, days.from(), days.to());
    }

    /** Lists what operators did with a key, revoked or not, the newest first, a page at a time. */
    @GET
    @Path(KEY + "/changes")
    public RestResponse<List<KeyChange>> listKeyChanges(
            long id,
            @RestQuery @DefaultValue(Limit.DEFAULT) Limit limit,
            @RestQuery String cursor,
            RoutingContext exchange) {
        PageRequest page = PageRequest.of(LIST + "/" + id + "/changes", limit, cursor, Map.of());
        List<KeyChange> changes = keys.changes(Operator.of(exchange), id, page.after(), page.fetchSize());
        return page.response(changes, change -> change.id, exchange.request());
    }

    /** Lists what was done with all keys, by anybody or by one operator, the newest first, a page at a time. */
    @GET
    @Path("changes")
    public RestResponse<List<KeyChange>> listChanges(
            @RestQuery String operator,
            @RestQuery Day from,
            @RestQuery Day to,
            @RestQuery @DefaultValue(Limit.DEFAULT) Limit limit,
            @RestQuery String cursor,
            HttpServerRequest request) {
        Days days = Days.of(from, to);
        Map<String, String> filter = new HashMap<>(days.parameters());
        if (operator != null) {
            filter.put("operator", operator);
        }
        PageRequest page = PageRequest.of(PATH + "/changes", limit, cursor, filter);
        return page.response(
                keys.changes(operator, days, page.after(), page.fetchSize()), change -> change.id, request);
    }

    @PATCH
    @Path(KEY)
    public ManagedKey changeKey(long id, KeyRequests.Change wanted, RoutingContext exchange) {
        return operations.change(Operator.of(exchange), id, KeyOperations.ANY_VERSION, wanted);
    }

    /** Adds a new secret to a key. No other response shows it. */
    @POST
    @Path(KEY + "/rotation")
    public RestResponse<ManagedKey> rotateKey(long id, KeyRequests.Rotation wanted, RoutingContext exchange) {
        return RestResponse.status(
                RestResponse.Status.CREATED,
                operations.rotate(Operator.of(exchange), id, KeyOperations.ANY_VERSION, wanted));
    }

    @DELETE
    @Path(KEY)
    public void revokeKey(long id, RoutingContext exchange) {
        operations.revoke(Operator.of(exchange), id, KeyOperations.ANY_VERSION);
    }

    @DELETE
    @Path(KEY + "/ban")
    public void liftBan(long id, RoutingContext exchange) {
        operations.liftBan(Operator.of(exchange), id, KeyOperations.ANY_VERSION);
    }

    /** Lists usage in the order of keys, then days, a page at a time. */
    @GET
    @Path("usage")
    public Uni<RestResponse<List<KeyDayUsage>>> listUsage(
            @RestQuery Day from,
            @RestQuery Day to,
            @RestQuery Month month,
            @RestQuery @DefaultValue(Limit.DEFAULT) Limit limit,
            @RestQuery String cursor,
            HttpServerRequest request) {
        Days days = Days.of(from, to, month, Days.today(clock), 1);
        PageRequest page = PageRequest.of(USAGE, limit, cursor, days.parameters());
        return reports.run(() -> page.response(
                usage.page(days.from(), days.to(), 0, page.after(), page.fetchSize()), KeyDayUsage::position, request));
    }

    /** All usage as CSV if the client prefers it to JSON. It has no pages, so their parameters have no effect. */
    @GET
    @Path("usage")
    @Produces(UsageExport.TYPE)
    public RestMulti<byte[]> exportUsage(
            @RestQuery Day from,
            @RestQuery Day to,
            @RestQuery Month month,
            @RestQuery String limit,
            @RestQuery String cursor,
            RoutingContext exchange) {
        return export.file(exchange, Days.of(from, to, month, Days.today(clock), 1), 0);
    }
}
