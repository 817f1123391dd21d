package dev.animalstore.operator.api;

import dev.animalstore.key.KeyFilter;
import dev.animalstore.operator.KeyOperations;
import dev.animalstore.operator.KeyRequests;
import dev.animalstore.operator.ManagedKey;
import dev.animalstore.operator.Reports;
import dev.animalstore.operator.api.DayRange.Day;
import dev.animalstore.page.PageRequest;
import dev.animalstore.page.PageRequest.Limit;
import dev.animalstore.usage.UsageReports;
import dev.animalstore.usage.UsageReports.DayUsage;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.Consumes;
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
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** {@link KeyOperations} over HTTP and JSON, for operators. */
@ApplicationScoped
@Path(AdminResource.PATH)
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class AdminResource {
    static final String PATH = "/admin/keys";

    private static final int DEFAULT_DAYS_OF_USAGE = 30;

    private final KeyOperations keys;
    private final UsageReports usage;
    private final Reports reports;
    private final Clock clock;

    AdminResource(KeyOperations keys, UsageReports usage, Reports reports, Clock clock) {
        this.keys = keys;
        this.usage = usage;
        this.reports = reports;
        this.clock = clock;
    }

    /** Issues a key. No other response shows its secret. */
    @POST
    public RestResponse<ManagedKey> issueKey(KeyRequests.NewKey wanted) {
        ManagedKey issued = keys.issue(wanted, id -> {});
        return RestResponse.ResponseBuilder.<ManagedKey>created(URI.create(PATH + "/" + issued.id()))
                .entity(issued)
                .build();
    }

    /** Lists keys in ascending order of their identifiers, a page at a time, of one owner or of all. */
    @GET
    public Uni<RestResponse<List<ManagedKey>>> listKeys(
            @RestQuery String owner,
            @RestQuery @DefaultValue(Limit.DEFAULT) Limit limit,
            @RestQuery String cursor,
            HttpServerRequest request) {
        PageRequest page = PageRequest.of(PATH, limit, cursor, owner == null ? Map.of() : Map.of("owner", owner));
        KeyFilter filter = new KeyFilter(owner, null, null, null);
        return reports.run(
                () -> page.response(keys.list(filter, page.after(), page.fetchSize()), ManagedKey::id, request));
    }

    @GET
    @Path(KeyOperations.ID)
    public ManagedKey getKey(long id) {
        return keys.get(id);
    }

    /** Shows the key that a secret belongs to. The secret is in the body, since paths and queries appear in logs and histories. */
    @POST
    @Path("lookup")
    public ManagedKey lookupKey(KeyRequests.Lookup wanted) {
        return keys.lookUp(wanted);
    }

    /** Shows the usage of a key, revoked or not, on the days on which it sent requests. */
    @GET
    @Path(KeyOperations.ID + "/usage")
    public List<DayUsage> getKeyUsage(long id, @RestQuery Day from, @RestQuery Day to) {
        DayRange days = DayRange.of(from, to, LocalDate.now(clock), DEFAULT_DAYS_OF_USAGE);
        keys.get(id);
        return usage.ofKey(id, days.from(), days.to());
    }

    @PATCH
    @Path(KeyOperations.ID)
    public ManagedKey changeKey(long id, KeyRequests.Change wanted) {
        return keys.change(id, KeyOperations.ANY_VERSION, wanted);
    }

    /** Adds a new secret to a key. No other response shows it. */
    @POST
    @Path(KeyOperations.ID + "/rotation")
    public RestResponse<ManagedKey> rotateKey(long id, KeyRequests.Rotation wanted) {
        return RestResponse.status(RestResponse.Status.CREATED, keys.rotate(id, KeyOperations.ANY_VERSION, wanted));
    }

    @DELETE
    @Path(KeyOperations.ID)
    public void revokeKey(long id) {
        keys.revoke(id, KeyOperations.ANY_VERSION);
    }

    @DELETE
    @Path(KeyOperations.ID + "/ban")
    public void liftBan(long id) {
        keys.liftBan(id, KeyOperations.ANY_VERSION);
    }
}
