package dev.animalstore.admin;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.key.IssuedKey;
import dev.animalstore.key.KeyDetails;
import dev.animalstore.key.KeyRegistry;
import dev.animalstore.page.PageRequest;
import dev.animalstore.page.Pages;
import dev.animalstore.quota.Limits;
import dev.animalstore.quota.QuotaMeter;
import dev.animalstore.request.QueryParameters;
import dev.animalstore.usage.DayUsage;
import dev.animalstore.usage.UsageReports;
import io.vertx.core.Future;
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

/**
 * The operators' operations on keys. Each change is committed, then made known to all replicas, then answered: a request that is sent
 * after the answer is judged by what the answer says.
 */
@ApplicationScoped
@Path("/admin/keys")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class AdminResource {
    private static final int DEFAULT_DAYS_OF_USAGE = 30;

    private final KeyRegistry keys;
    private final Announcements announcements;
    private final QuotaMeter meter;
    private final AuditedKey audited;
    private final Pages pages;
    private final UsageReports usage;
    private final Clock clock;

    AdminResource(
            KeyRegistry keys,
            Announcements announcements,
            QuotaMeter meter,
            AuditedKey audited,
            Pages pages,
            UsageReports usage,
            Clock clock) {
        this.keys = keys;
        this.announcements = announcements;
        this.meter = meter;
        this.audited = audited;
        this.pages = pages;
        this.usage = usage;
        this.clock = clock;
    }

    /** Issues a key. The answer is the only one that shows it. */
    @POST
    public RestResponse<ManagedKey> issueKey(KeyRequests.NewKey wanted, UriInfo uri) {
        IssuedKey issued = keys.issue(wanted.owner(), wanted.plan(), wanted.agreedLimits(), wanted.expiry());
        return RestResponse.ResponseBuilder.<ManagedKey>created(uri.getAbsolutePathBuilder()
                        .path(Long.toString(issued.details().id()))
                        .build())
                .entity(show(issued))
                .build();
    }

    /** Lists keys in ascending order of their identifiers, a page at a time, of one owner or of all. */
    @GET
    public RestResponse<List<ManagedKey>> listKeys(UriInfo uri) {
        Optional<String> owner = new QueryParameters(uri).find("owner");
        PageRequest page = pages.read(uri, "owner", owner);
        return page.answer(
                keys.list(owner, page.after(), page.fetchSize()).stream()
                        .map(this::show)
                        .toList(),
                ManagedKey::id);
    }

    /** Shows a key. */
    @GET
    @Path("{id}")
    public ManagedKey getKey(KeyId id) {
        KeyDetails key = require(keys.find(id.value()));
        audited.set(key);
        return show(key);
    }

    /** Shows the usage of a key, revoked or not, on the days on which it sent requests. */
    @GET
    @Path("{id}/usage")
    public List<DayUsage> getKeyUsage(KeyId id, UriInfo uri) {
        DayRange days = DayRange.read(new QueryParameters(uri), LocalDate.now(clock), DEFAULT_DAYS_OF_USAGE);
        KeyDetails key = require(keys.find(id.value()));
        audited.set(key);
        return usage.ofKey(key.id(), days.from(), days.to());
    }

    /** Changes what the body names. */
    @PATCH
    @Path("{id}")
    public ManagedKey changeKey(KeyId id, KeyRequests.Change wanted) {
        return show(announce(require(keys.change(id.value(), wanted.keyChange()))));
    }

    /** Gives a key a new secret, which only this answer shows. */
    @POST
    @Path("{id}/rotation")
    public RestResponse<ManagedKey> rotateKey(KeyId id, KeyRequests.Rotation wanted) {
        IssuedKey issued = require(keys.rotate(id.value(), wanted.grace()));
        announce(issued.details());
        return RestResponse.status(RestResponse.Status.CREATED, show(issued));
    }

    /** Revokes a key for good. */
    @DELETE
    @Path("{id}")
    public void revokeKey(KeyId id) {
        announce(require(keys.revoke(id.value())));
    }

    /** Lifts a key's ban, if it has one, and forgets its strikes. */
    @DELETE
    @Path("{id}/ban")
    public void liftBan(KeyId id) {
        KeyDetails key = require(keys.liftBan(id.value()));
        audited.set(key);
        announcements.announceLiftedBan(key);
    }

    private KeyDetails announce(KeyDetails key) {
        audited.set(key);
        announcements.announce(key);
        return key;
    }

    private ManagedKey show(IssuedKey issued) {
        audited.set(issued.details());
        return show(issued.details(), issued.secret().reveal());
    }

    private ManagedKey show(KeyDetails key) {
        return show(key, null);
    }

    private ManagedKey show(KeyDetails key, String secret) {
        Limits limits = new Limits(key.limits().perMinute(), key.limits().perDay());
        return ManagedKey.of(key, await(meter.peek(key.id(), limits)), secret);
    }

    private static <T> T await(Future<T> answer) {
        return answer.toCompletionStage().toCompletableFuture().join();
    }

    private static <T> T require(Optional<T> found) {
        return found.orElseThrow(() -> new ApiException(ErrorCode.NOT_FOUND, "There is no such key."));
    }
}
