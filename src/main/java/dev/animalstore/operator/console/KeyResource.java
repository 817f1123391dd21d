package dev.animalstore.operator.console;

import dev.animalstore.metering.key.Plan;
import dev.animalstore.metering.usage.Days;
import dev.animalstore.metering.usage.UsageReports;
import dev.animalstore.metering.usage.UsageReports.DayUsage;
import dev.animalstore.operator.KeyChange;
import dev.animalstore.operator.KeyDirectory;
import dev.animalstore.operator.KeyOperations;
import dev.animalstore.operator.KeyRequests;
import dev.animalstore.operator.ManagedKey;
import dev.animalstore.operator.Operator;
import dev.animalstore.operator.SignedInFilter.ForReaders;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import dev.animalstore.web.input.BodyReader;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;

/** The page of a key and its operations. A form that is not possible for the key is replaced by the page of the key. */
@ApplicationScoped
@Path(ConsolePages.ROOT)
@Produces(MediaType.TEXT_HTML)
@Consumes(MediaType.APPLICATION_FORM_URLENCODED)
public class KeyResource {
    private static final int MOST_CHANGES = 10;

    private final KeyDirectory keys;
    private final KeyOperations operations;
    private final UsageReports usage;
    private final BodyReader reader;
    private final Clock clock;

    KeyResource(KeyDirectory keys, KeyOperations operations, UsageReports usage, BodyReader reader, Clock clock) {
        this.keys = keys;
        this.operations = operations;
        this.usage = usage;
        this.reader = reader;
        this.clock = clock;
    }

    /**
     * Shows a key.
     *
     * @param done the version that an operation has just produced; while it is the current one, the page says so
     * @param found the identifier of the secret that was found in public; 0 if none was
     */
    @GET
    @Path("keys/" + KeyOperations.ID)
    public Response getKey(long id, @RestQuery String done, @RestQuery long found, RoutingContext exchange) {
        Operator operator = Operator.of(exchange);
        ManagedKey key = found == 0 ? keys.get(operator, id) : keys.getFound(operator, id, found);
        String notice = Long.toString(key.version()).equals(done) ? "done" : found == 0 ? "" : "found";
        return show(exchange, StatusCode.OK, Page.KEY, key, Form.EMPTY, notice);
    }

    @GET
    @ForReaders(false)
    @Path("keys/" + KeyOperations.ID + "/{form:change|rotation|suspension|revocation}")
    public Response showForm(long id, String form, RoutingContext exchange) {
        Page page = Page.valueOf(form.toUpperCase(Locale.ROOT));
        ManagedKey key = keys.get(Operator.of(exchange), id);
        return page.isPossible(view(key))
                ? show(exchange, StatusCode.OK, page, key, KeyForm.of(key), "")
                : ConsolePages.redirect(view(key).path());
    }

    @POST
    @Path("keys/" + KeyOperations.ID + "/change")
    public Response changeKey(long id, String body, RoutingContext exchange) {
        return perform(exchange, id, body, Page.CHANGE, (key, sent) -> {
            Map<String, Object> members = KeyForm.members(sent, KeyForm.of(key));
            return change(exchange, key, members);
        });
    }

    /** Adds a new secret to the key. No other response shows it. */
    @POST
    @Path("keys/" + KeyOperations.ID + "/rotation")
    public Response rotateKey(long id, String body, RoutingContext exchange) {
        return perform(exchange, id, body, Page.ROTATION, (key, sent) -> {
            Map<String, Object> members = KeyForm.numbers(sent, "graceSeconds");
            KeyRequests.Rotation wanted = reader.read(KeyRequests.Rotation.class, members);
            return operations.rotate(Operator.of(exchange), id, key.version(), wanted);
        });
    }

    @POST
    @Path("keys/" + KeyOperations.ID + "/suspension")
    public Response suspendKey(long id, String body, RoutingContext exchange) {
        return perform(
                exchange, id, body, Page.SUSPENSION, (key, sent) -> change(exchange, key, Map.of("suspended", true)));
    }

    /** Resumes a suspended key. */
    @POST
    @Path("keys/" + KeyOperations.ID + "/suspension/lift")
    public Response resumeKey(long id, String body, RoutingContext exchange) {
        return perform(exchange, id, body, Page.KEY, (key, sent) -> change(exchange, key, Map.of("suspended", false)));
    }

    private ManagedKey change(RoutingContext exchange, ManagedKey key, Map<String, Object> members) {
        KeyRequests.Change wanted = reader.read(KeyRequests.Change.class, members);
        return operations.change(Operator.of(exchange), key.id(), key.version(), wanted);
    }

    @POST
    @Path("keys/" + KeyOperations.ID + "/revocation")
    public Response revokeKey(long id, String body, RoutingContext exchange) {
        return perform(
                exchange,
                id,
                body,
                Page.REVOCATION,
                (key, sent) -> operations.revoke(Operator.of(exchange), id, key.version()));
    }

    @POST
    @Path("keys/" + KeyOperations.ID + "/ban/lift")
    public Response liftBan(long id, String body, RoutingContext exchange) {
        return perform(
                exchange,
                id,
                body,
                Page.KEY,
                (key, sent) -> operations.liftBan(Operator.of(exchange), id, key.version()));
    }

    /** Performs the operation of a form on the key and its version, or shows the form again with the reason why nothing was changed. */
    private Response perform(
            RoutingContext exchange,
            long id,
            String body,
            Page page,
            BiFunction<ManagedKey, Form, ManagedKey> operation) {
        Form sent = Form.parse(body);
        Operator operator = Operator.of(exchange);
        ManagedKey key = keys.get(operator, id);
        try {
            if (!sent.value("version").equals(Long.toString(key.version()))) {
                throw new ApiException(
                        ErrorCode.CONFLICT,
                        "The key has changed since this form was opened. It is shown as it is now.");
            }
            return done(exchange, operation.apply(key, sent));
        } catch (ApiException refusal) {
            int status = refusal.code().status();
            if (refusal.code() == ErrorCode.VALIDATION_FAILED) {
                return show(exchange, status, page, key, sent.refused(refusal), "");
            }
            if (refusal.code() == ErrorCode.CONFLICT) {
                ManagedKey now = keys.get(operator, id);
                return show(exchange, status, page, now, KeyForm.of(now).refused(refusal), "");
            }
            throw refusal;
        }
    }

    private Response show(RoutingContext exchange, int status, Page page, ManagedKey key, Form form, String notice) {
        KeyView view = view(key);
        return ConsolePages.show(
                exchange,
                status,
                switch (page.isPossible(view) ? page : Page.KEY) {
                    case CHANGE -> Templates.change(view, form, Plan.listInOrder());
                    case ROTATION -> Templates.rotate(view, form);
                    case SUSPENSION -> Templates.stop(view, form, false);
                    case REVOCATION -> Templates.stop(view, form, true);
                    case KEY -> {
                        List<KeyChange> changes = keys.changes(Operator.of(exchange), key.id(), 0, MOST_CHANGES);
                        LocalDate today = Days.today(clock);
                        LocalDate issued = LocalDate.ofInstant(key.createdAt(), ZoneOffset.UTC);
                        yield Templates.key(
                                view,
                                chart(key, today),
                                changes,
                                UsageFileResource.months(issued, today),
                                form,
                                notice);
                    }
                });
    }

    private UsageChart chart(ManagedKey key, LocalDate today) {
        List<DayUsage> used = usage.ofKey(key.id(), today.minusDays(UsageChart.DAYS - 1L), today);
        return UsageChart.of(used, today, key.usage().day().limit());
    }

    /**
     * Shows a new secret, or the key by a redirect, after which a reload sends no form again. Whether Redis has confirmed the change is known
     * only now, so if it has not, the key is shown at once.
     */
    private Response done(RoutingContext exchange, ManagedKey key) {
        if (key.key() != null) {
            return ConsolePages.show(exchange, StatusCode.CREATED, Templates.newKey(key, key.lateSeconds()));
        }
        return key.lateSeconds() == 0
                ? ConsolePages.redirect(ConsolePages.KEYS + "/" + key.id() + "?done=" + key.version())
                : show(exchange, StatusCode.OK, Page.KEY, key, Form.EMPTY, "done");
    }

    private KeyView view(ManagedKey key) {
        return new KeyView(key, clock.instant());
    }

    /** The pages with a form, and for which keys they are possible. */
    private enum Page {
        KEY,
        CHANGE,
        ROTATION,
        SUSPENSION,
        REVOCATION;

        boolean isPossible(KeyView view) {
            return switch (this) {
                case KEY -> true;
                case CHANGE, REVOCATION -> view.changeable();
                case ROTATION -> view.rotatable();
                case SUSPENSION -> view.suspendable();
            };
        }
    }
}
