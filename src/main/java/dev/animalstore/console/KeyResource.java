package dev.animalstore.console;

import dev.animalstore.admin.KeyId;
import dev.animalstore.admin.KeyOperations;
import dev.animalstore.admin.KeyRequests;
import dev.animalstore.admin.ManagedKey;
import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.request.Form;
import dev.animalstore.request.JsonBinding;
import dev.animalstore.request.QueryParameters;
import dev.animalstore.usage.UsageReports;
import io.quarkus.qute.TemplateInstance;
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
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
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
    private static final int CREATED = 201;

    /** The notices that a page shows after an operation. */
    private static final Map<String, String> NOTICES = Map.of(
            "changed", "The key was changed. The change applies from the next request on.",
            "unchanged", "There were no differences, so nothing was changed.",
            "lifted", "The ban was lifted.",
            "revoked", "The key was permanently revoked.");

    private final KeyOperations keys;
    private final UsageReports usage;
    private final JsonBinding binding;
    private final CsrfTokens csrf;
    private final ConsolePages pages;
    private final Clock clock;

    KeyResource(
            KeyOperations keys,
            UsageReports usage,
            JsonBinding binding,
            CsrfTokens csrf,
            ConsolePages pages,
            Clock clock) {
        this.keys = keys;
        this.usage = usage;
        this.binding = binding;
        this.csrf = csrf;
        this.pages = pages;
        this.clock = clock;
    }

    /** Shows a key. */
    @GET
    @Path("{id}")
    public Response getKey(KeyId id, UriInfo uri, RoutingContext exchange) {
        String done = new QueryParameters(uri).find("done").orElse("");
        String notice = NOTICES.getOrDefault(done, "");
        KeyView view = view(keys.get(id));
        LocalDate today = LocalDate.ofInstant(view.now(), ZoneOffset.UTC);
        UsageChart chart = UsageChart.of(usage.ofKey(id.value(), today.minusDays(UsageChart.DAYS - 1L), today), today);
        return show(OK, Templates.key(frame(exchange, view.key().owner()), view, chart, notice));
    }

    /** Shows the form of a change. */
    @GET
    @Path("{id}/change")
    public Response showChange(KeyId id, RoutingContext exchange) {
        ManagedKey key = keys.get(id);
        return change(exchange, OK, key, KeyForm.of(key, keys.plans()));
    }

    /** Changes what differs from the values that the form showed. */
    @POST
    @Path("{id}/change")
    public Response changeKey(KeyId id, Form sent, RoutingContext exchange) {
        return perform(id, sent, exchange, this::change, form -> {
            String wanted = form.change();
            if (wanted.equals("{}")) {
                return done(id, "unchanged");
            }
            keys.change(id, seen(form), binding.bind(KeyRequests.Change.class, wanted));
            return done(id, "changed");
        });
    }

    /** Shows the form of a rotation. */
    @GET
    @Path("{id}/rotation")
    public Response showRotation(KeyId id, RoutingContext exchange) {
        ManagedKey key = keys.get(id);
        return rotation(exchange, OK, key, KeyForm.of(key, keys.plans()));
    }

    /** Adds a new secret to the key. No other response shows it. */
    @POST
    @Path("{id}/rotation")
    public Response rotateKey(KeyId id, Form sent, RoutingContext exchange) {
        return perform(id, sent, exchange, this::rotation, form -> {
            ManagedKey rotated = keys.rotate(id, seen(form), binding.bind(KeyRequests.Rotation.class, form.rotation()));
            return ConsolePages.show(CREATED, Templates.newKey(frame(exchange, "The new key"), rotated));
        });
    }

    /** Shows the form of a revocation. */
    @GET
    @Path("{id}/revocation")
    public Response showRevocation(KeyId id, RoutingContext exchange) {
        ManagedKey key = keys.get(id);
        return revocation(exchange, OK, key, KeyForm.of(key, keys.plans()));
    }

    /** Revokes the key permanently. */
    @POST
    @Path("{id}/revocation")
    public Response revokeKey(KeyId id, Form sent, RoutingContext exchange) {
        return perform(id, sent, exchange, this::revocation, form -> {
            keys.revoke(id, seen(form));
            return done(id, "revoked");
        });
    }

    /** Lifts the ban of the key. */
    @POST
    @Path("{id}/ban/lift")
    public Response liftBan(KeyId id, Form sent, RoutingContext exchange) {
        csrf.verify(sent, exchange);
        keys.liftBan(id);
        return done(id, "lifted");
    }

    /** Performs the operation of a form, or shows the form again with its errors. */
    private Response perform(
            KeyId id, Form sent, RoutingContext exchange, Page page, Function<KeyForm, Response> operation) {
        csrf.verify(sent, exchange);
        KeyForm form = KeyForm.of(sent);
        try {
            return operation.apply(form);
        } catch (ApiException refusal) {
            int status = refusal.code().status();
            if (refusal.code() == ErrorCode.NOT_FOUND) {
                throw refusal;
            }
            ManagedKey key = keys.get(id);
            boolean outdated = seen(form).orElse(0) != key.version();
            return page.show(
                    exchange,
                    status,
                    key,
                    outdated ? form.outdated(KeyForm.of(key, keys.plans())) : form.refused(refusal));
        }
    }

    private Response change(RoutingContext exchange, int status, ManagedKey key, KeyForm form) {
        return show(status, Templates.change(frame(exchange, "Change " + key.owner()), view(key), form, keys.plans()));
    }

    private Response rotation(RoutingContext exchange, int status, ManagedKey key, KeyForm form) {
        return show(status, Templates.rotate(frame(exchange, "Rotate " + key.owner()), view(key), form));
    }

    private Response revocation(RoutingContext exchange, int status, ManagedKey key, KeyForm form) {
        return show(status, Templates.revoke(frame(exchange, "Revoke " + key.owner()), view(key), form));
    }

    private static Response show(int status, TemplateInstance page) {
        return ConsolePages.show(status, page);
    }

    private Frame frame(RoutingContext exchange, String title) {
        return pages.frame(exchange, title, "keys");
    }

    private KeyView view(ManagedKey key) {
        return new KeyView(key, clock.instant());
    }

    private static Response done(KeyId id, String what) {
        return ConsolePages.redirect(ConsolePages.KEYS + "/" + id.value() + "?done=" + what);
    }

    /** The version that the form showed. A form without one did not come from this page, and gets a version that does not exist. */
    private static OptionalLong seen(KeyForm form) {
        String version = form.value("version");
        return OptionalLong.of(version.matches("[0-9]{1,18}") ? Long.parseLong(version) : 0);
    }

    /** Shows a form for a key. */
    @FunctionalInterface
    private interface Page {
        Response show(RoutingContext exchange, int status, ManagedKey key, KeyForm form);
    }
}
