package dev.animalstore.admin;

import dev.animalstore.key.KeyFilter;
import dev.animalstore.page.PageRequest;
import dev.animalstore.page.Pages;
import dev.animalstore.request.QueryParameters;
import dev.animalstore.usage.DayUsage;
import dev.animalstore.usage.UsageReports;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.time.Clock;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.jboss.resteasy.reactive.RestResponse;

/** {@link KeyOperations} over HTTP and JSON, for operators. */
@ApplicationScoped
@Path("/admin/keys")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class AdminResource {
    private static final int DEFAULT_DAYS_OF_USAGE = 30;

    private final KeyOperations keys;
    private final Pages pages;
    private final UsageReports usage;
    private final Clock clock;

    AdminResource(KeyOperations keys, Pages pages, UsageReports usage, Clock clock) {
        this.keys = keys;
        this.pages = pages;
        this.usage = usage;
        this.clock = clock;
    }

    /** Issues a key. No other response shows its secret. */
    @POST
    public RestResponse<ManagedKey> issueKey(KeyRequests.NewKey wanted, UriInfo uri) {
        ManagedKey issued = keys.issue(wanted);
        return RestResponse.ResponseBuilder.<ManagedKey>created(uri.getAbsolutePathBuilder()
                        .path(Long.toString(issued.id()))
                        .build())
                .entity(issued)
                .build();
    }

    /** Lists keys in ascending order of their identifiers, a page at a time, of one owner or of all. */
    @GET
    public RestResponse<List<ManagedKey>> listKeys(UriInfo uri) {
        Optional<String> owner = new QueryParameters(uri).find("owner");
        PageRequest page = pages.read(uri, "owner", owner);
        return page.response(keys.list(KeyFilter.ofOwner(owner), page.after(), page.fetchSize()), ManagedKey::id);
    }

    /** Shows a key. */
    @GET
    @Path("{id}")
    public ManagedKey getKey(KeyId id) {
        return keys.get(id);
    }

    /** Shows the usage of a key, revoked or not, on the days on which it sent requests. */
    @GET
    @Path("{id}/usage")
    public List<DayUsage> getKeyUsage(KeyId id, UriInfo uri) {
        DayRange days = DayRange.read(new QueryParameters(uri), LocalDate.now(clock), DEFAULT_DAYS_OF_USAGE);
        keys.verify(id);
        return usage.ofKey(id.value(), days.from(), days.to());
    }

    /** Changes the members that the body contains. */
    @PATCH
    @Path("{id}")
    public ManagedKey changeKey(KeyId id, KeyRequests.Change wanted) {
        return keys.change(id, Terms.NONE, wanted);
    }

    /** Adds a new secret to a key. No other response shows it. */
    @POST
    @Path("{id}/rotation")
    public RestResponse<ManagedKey> rotateKey(KeyId id, KeyRequests.Rotation wanted) {
        return RestResponse.status(RestResponse.Status.CREATED, keys.rotate(id, Terms.NONE, wanted));
    }

    /** Revokes a key permanently. */
    @DELETE
    @Path("{id}")
    public void revokeKey(KeyId id) {
        keys.revoke(id, Terms.NONE);
    }

    /** Lifts a key's ban, if it has one, and clears its strikes. */
    @DELETE
    @Path("{id}/ban")
    public void liftBan(KeyId id) {
        keys.liftBan(id, Terms.NONE);
    }
}
