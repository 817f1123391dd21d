package dev.animalstore.console;

import dev.animalstore.admin.KeyId;
import dev.animalstore.admin.KeyOperations;
import dev.animalstore.admin.KeyRequests;
import dev.animalstore.admin.ManagedKey;
import dev.animalstore.admin.Terms;
import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.request.Form;
import dev.animalstore.request.JsonBinding;
import dev.animalstore.request.QueryParameters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The page of a key and its operations. Each form names the version of the key that it showed and applies to that version only. If the key
 * was changed meanwhile, the form is shown again with the differences and the typed values.
 */
@ApplicationScoped
@Path(ConsolePages.KEYS)
@Produces(MediaType.TEXT_HTML)
public class KeyResource {
    private static final int OK = 200;

    private final KeyOperations keys;
    private final JsonBinding binding;
    private final CsrfTokens csrf;
    private final OneTimeForms forms;
    private final KeyPages pages;
    private final Notices notices;
    private final Clock clock;

    KeyResource(
            KeyOperations keys,
            JsonBinding binding,
            CsrfTokens csrf,
            OneTimeForms forms,
            KeyPages pages,
            Notices notices,
            Clock clock) {
        this.keys = keys;
        this.binding = binding;
        this.csrf = csrf;
        this.forms = forms;
        this.pages = pages;
        this.notices = notices;
        this.clock = clock;
    }

    /** Shows a key. */
    @GET
    @Path("{id}")
    public Response getKey(KeyId id, UriInfo uri, RoutingContext exchange) {
        ManagedKey key = keys.get(id);
        String notice = notices.find(exchange, new QueryParameters(uri), key);
        return pages.key(exchange, OK, key, KeyForm.of(Map.of()), notice);
    }

    /** Shows the form of a change. */
    @GET
    @Path("{id}/change")
    public Response showChange(KeyId id, RoutingContext exchange) {
        return open(id, exchange, pages::change);
    }

    /** Changes what differs from the values that the form showed. */
    @POST
    @Path("{id}/change")
    public Response changeKey(KeyId id, Form sent, RoutingContext exchange) {
        return perform(id, sent, exchange, pages::change, "changed", form -> {
            String wanted = form.change(keys.plans());
            if (wanted.equals("{}")) {
                return notices.redirect(exchange, id, "unchanged", seen(form));
            }
            ManagedKey changed = keys.change(id, terms(id, form), binding.bind(KeyRequests.Change.class, wanted));
            return notices.redirect(exchange, id, "changed", changed.version());
        });
    }

    /** Shows the form of a rotation. */
    @GET
    @Path("{id}/rotation")
    public Response showRotation(KeyId id, RoutingContext exchange) {
        return open(id, exchange, pages::rotation);
    }

    /** Adds a new secret to the key. No other response shows it. */
    @POST
    @Path("{id}/rotation")
    public Response rotateKey(KeyId id, Form sent, RoutingContext exchange) {
        return perform(id, sent, exchange, pages::rotation, "rotated", form -> {
            KeyRequests.Rotation wanted = binding.bind(KeyRequests.Rotation.class, form.rotation());
            return pages.rotated(exchange, keys.rotate(id, terms(id, form), wanted));
        });
    }

    /** Shows the form of a revocation. */
    @GET
    @Path("{id}/revocation")
    public Response showRevocation(KeyId id, RoutingContext exchange) {
        return open(id, exchange, pages::revocation);
    }

    /** Revokes the key permanently. */
    @POST
    @Path("{id}/revocation")
    public Response revokeKey(KeyId id, Form sent, RoutingContext exchange) {
        return perform(
                id,
                sent,
                exchange,
                pages::revocation,
                "revoked",
                form -> notices.redirect(exchange, id, "revoked", keys.revoke(id, terms(id, form))));
    }

    /** Lifts the ban that the page showed, and no other. */
    @POST
    @Path("{id}/ban/lift")
    public Response liftBan(KeyId id, Form sent, RoutingContext exchange) {
        Page page = (to, status, key, form) -> pages.key(to, status, key, form, "");
        return perform(id, sent, exchange, page, "lifted the ban of", form -> {
            verifyBan(form, keys.get(id));
            return notices.redirect(exchange, id, "lifted", keys.liftBan(id, terms(id, form)));
        });
    }

    private static void verifyBan(KeyForm form, ManagedKey key) {
        if (key.revokedAt() != null) {
            throw conflict("The key is permanently revoked.");
        }
        if (key.ban() == null || !form.showsBanOf(key)) {
            String reason = key.ban() == null ? "The key is not banned now." : "The key has another ban now.";
            throw conflict("Nothing was changed. "
                    + (key.shared() ? reason : "Redis is unavailable, so whether this ban is active is unknown."));
        }
    }

    private static ApiException conflict(String message) {
        return new ApiException(ErrorCode.CONFLICT, message);
    }

    private Response open(KeyId id, RoutingContext exchange, Page page) {
        ManagedKey key = keys.get(id);
        return page.show(exchange, OK, key, KeyForm.of(key, keys.plans()));
    }

    /**
     * Performs the operation of a form, or shows the form again with its errors.
     *
     * @param done what the operation does to the key, as a participle, for the page that says that the form was already used
     */
    private Response perform(
            KeyId id,
            Form sent,
            RoutingContext exchange,
            Page page,
            String done,
            Function<KeyForm, Response> operation) {
        csrf.verify(sent, exchange);
        KeyForm form = KeyForm.of(sent);
        try {
            return operation.apply(form);
        } catch (ApiException refusal) {
            if (refusal.code() == ErrorCode.NOT_FOUND) {
                throw refusal;
            }
            Optional<Long> changed = form.id().flatMap(forms::findKey);
            return changed.isPresent()
                    ? pages.alreadySent(exchange, changed.get(), done)
                    : refused(exchange, page, keys.get(id), form, refusal);
        }
    }

    private Response refused(RoutingContext exchange, Page page, ManagedKey key, KeyForm form, ApiException refusal) {
        boolean outdated = seen(form) != key.version();
        return page.show(
                exchange,
                refusal.code().status(),
                key,
                outdated ? form.outdated(key, keys.plans(), clock.instant()) : form.refused(refusal));
    }

    /** The change applies only to the version that the form showed, and marks the form as used. */
    private Terms terms(KeyId id, KeyForm form) {
        return new Terms(OptionalLong.of(seen(form)), () -> form.id().ifPresent(name -> forms.use(name, id.value())));
    }

    /** The version that the form showed. A form without one did not come from this page, and gets a version that does not exist. */
    private static long seen(KeyForm form) {
        String version = form.value("version");
        return version.matches("[0-9]{1,18}") ? Long.parseLong(version) : 0;
    }

    /** Shows a form for a key. */
    @FunctionalInterface
    private interface Page {
        Response show(RoutingContext exchange, int status, ManagedKey key, KeyForm form);
    }
}
