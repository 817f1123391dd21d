package dev.animalstore.console;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.operator.KeyOperations;
import dev.animalstore.operator.KeyRequests;
import dev.animalstore.operator.KeyRequests.KeyId;
import dev.animalstore.operator.ManagedKey;
import dev.animalstore.request.Form;
import dev.animalstore.request.JsonBinding;
import dev.animalstore.usage.UsageReports;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import org.jboss.resteasy.reactive.RestQuery;

/**
 * The page of a key and its operations. Each form names the version of the key that it showed and applies to that version only; for another
 * one it is shown again as the key is now. A form that is not possible for the key is replaced by the page of the key.
 */
@ApplicationScoped
@Path(ConsolePages.KEYS)
@Produces(MediaType.TEXT_HTML)
public class KeyResource {
    private final KeyOperations keys;
    private final UsageReports usage;
    private final JsonBinding binding;
    private final Sessions sessions;
    private final ConsolePages pages;
    private final Clock clock;

    KeyResource(
            KeyOperations keys,
            UsageReports usage,
            JsonBinding binding,
            Sessions sessions,
            ConsolePages pages,
            Clock clock) {
        this.keys = keys;
        this.usage = usage;
        this.binding = binding;
        this.sessions = sessions;
        this.pages = pages;
        this.clock = clock;
    }

    /**
     * Shows a key.
     *
     * @param done the version that an operation has just produced; while it is the current one, the page says so
     */
    @GET
    @Path("{id}")
    public Response getKey(KeyId id, @RestQuery String done) {
        ManagedKey key = keys.get(id);
        KeyForm form = form(key);
        return show(
                ConsolePages.OK,
                Page.KEY,
                key,
                form,
                form.value(KeyForm.VERSION).equals(done));
    }

    /** Shows the form of a change. */
    @GET
    @Path("{id}/change")
    public Response showChange(KeyId id) {
        return open(id, Page.CHANGE);
    }

    /** Changes what differs from the key that the form showed. */
    @POST
    @Path("{id}/change")
    public Response changeKey(KeyId id, Form sent) {
        return perform(id, sent, Page.CHANGE, (key, seen) -> {
            Map<String, Object> members = KeyForm.of(sent).members(form(key));
            KeyRequests.Change wanted = binding.bind(KeyRequests.Change.class, members);
            return done(id, keys.change(id, seen, wanted).version());
        });
    }

    /** Shows the form of a rotation. */
    @GET
    @Path("{id}/rotation")
    public Response showRotation(KeyId id) {
        return open(id, Page.ROTATION);
    }

    /** Adds a new secret to the key. No other response shows it. */
    @POST
    @Path("{id}/rotation")
    public Response rotateKey(KeyId id, Form sent) {
        return perform(id, sent, Page.ROTATION, (key, seen) -> {
            Map<String, Object> members = KeyForm.of(sent).rotation();
            ManagedKey rotated = keys.rotate(id, seen, binding.bind(KeyRequests.Rotation.class, members));
            return pages.show(ConsolePages.CREATED, "The new key", Templates.newKey(rotated));
        });
    }

    /** Shows the form of a revocation. */
    @GET
    @Path("{id}/revocation")
    public Response showRevocation(KeyId id) {
        return open(id, Page.REVOCATION);
    }

    /** Revokes the key permanently. */
    @POST
    @Path("{id}/revocation")
    public Response revokeKey(KeyId id, Form sent) {
        return perform(id, sent, Page.REVOCATION, (key, seen) -> done(id, keys.revoke(id, seen)));
    }

    /** Lifts the ban of the key. */
    @POST
    @Path("{id}/ban/lift")
    public Response liftBan(KeyId id, Form sent) {
        return perform(id, sent, Page.KEY, (key, seen) -> done(id, keys.liftBan(id, seen)));
    }

    private Response open(KeyId id, Page page) {
        ManagedKey key = keys.get(id);
        return page.isPossible(view(key))
                ? show(ConsolePages.OK, page, key, form(key), false)
                : ConsolePages.redirect(view(key).path());
    }

    /** Performs the operation of a form on the key and its version, or shows the form again with the reason why nothing was changed. */
    private Response perform(KeyId id, Form sent, Page page, BiFunction<ManagedKey, OptionalLong, Response> operation) {
        sessions.verify(sent);
        KeyForm form = KeyForm.of(sent);
        ManagedKey key = keys.get(id);
        try {
            long version = key.version();
            if (!form.value(KeyForm.VERSION).equals(Long.toString(version))) {
                throw new ApiException(
                        ErrorCode.CONFLICT,
                        "Nothing was changed: the key has changed since this form was opened. It is shown as it is now.");
            }
            return operation.apply(key, OptionalLong.of(version));
        } catch (ApiException refusal) {
            int status = refusal.code().status();
            return switch (refusal.code()) {
                case VALIDATION_FAILED -> show(status, page, key, form.refused(refusal), false);
                case CONFLICT -> {
                    ManagedKey now = keys.get(id);
                    yield show(status, page, now, form(now).refused(refusal), false);
                }
                default -> throw refusal;
            };
        }
    }

    /** Shows a page, or the page of the key if it is not possible. */
    private Response show(int status, Page page, ManagedKey key, KeyForm form, boolean done) {
        KeyView view = view(key);
        String owner = key.owner();
        return switch (page.isPossible(view) ? page : Page.KEY) {
            case CHANGE -> pages.show(status, "Change " + owner, Templates.change(view, form, keys.plans()));
            case ROTATION -> pages.show(status, "Rotate " + owner, Templates.rotate(view, form));
            case REVOCATION -> pages.show(status, "Revoke " + owner, Templates.revoke(view, form));
            case KEY -> {
                LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
                LocalDate first = today.minusDays(UsageChart.DAYS - 1L);
                UsageChart chart = UsageChart.of(usage.ofKey(key.id(), first, today), today);
                yield pages.show(status, owner, Templates.key(view, chart, form, done));
            }
        };
    }

    private static Response done(KeyId id, long version) {
        return ConsolePages.redirect(ConsolePages.KEYS + "/" + id.value() + "?done=" + version);
    }

    private KeyForm form(ManagedKey key) {
        boolean ownLimits =
                keys.plans().stream().anyMatch(plan -> plan.name().equals(key.plan()) && plan.limits() == null);
        return KeyForm.of(key, ownLimits);
    }

    private KeyView view(ManagedKey key) {
        return new KeyView(key, clock.instant());
    }

    /** The pages with a form, and for which keys they are possible. */
    private enum Page {
        KEY,
        CHANGE,
        ROTATION,
        REVOCATION;

        boolean isPossible(KeyView view) {
            return switch (this) {
                case KEY -> true;
                case CHANGE, REVOCATION -> view.changeable();
                case ROTATION -> view.rotatable();
            };
        }
    }
}
