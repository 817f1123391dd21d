package dev.animalstore.console;

import dev.animalstore.admin.KeyOperations;
import dev.animalstore.admin.KeyRequests;
import dev.animalstore.admin.ManagedKey;
import dev.animalstore.error.ApiException;
import dev.animalstore.request.Form;
import dev.animalstore.request.JsonBinding;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Issues keys. Only the response to the form shows the key; the same form sent again shows which key it has issued. */
@ApplicationScoped
@Path("/console/issue")
@Produces(MediaType.TEXT_HTML)
public class IssueResource {
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int CONFLICT = 409;
    private static final String TITLE = "Issue a key";
    private static final String SECTION = "issue";

    private final KeyOperations keys;
    private final OneTimeForms forms;
    private final JsonBinding binding;
    private final CsrfTokens csrf;
    private final ConsolePages pages;

    IssueResource(KeyOperations keys, OneTimeForms forms, JsonBinding binding, CsrfTokens csrf, ConsolePages pages) {
        this.keys = keys;
        this.forms = forms;
        this.binding = binding;
        this.csrf = csrf;
        this.pages = pages;
    }

    /** Shows the form. */
    @GET
    public Response showIssue(RoutingContext exchange) {
        return form(exchange, OK, KeyForm.of(Map.of("id", UUID.randomUUID().toString(), "plan", "free")));
    }

    /** Issues a key. */
    @POST
    public Response issueKey(Form sent, RoutingContext exchange) {
        csrf.verify(sent, exchange);
        KeyForm form = KeyForm.of(sent);
        if (form.id().isEmpty()) {
            return ConsolePages.redirect("/console/issue");
        }
        UUID id = form.id().get();
        try {
            Optional<ManagedKey> issued = forms.issue(id, binding.bind(KeyRequests.NewKey.class, form.newKey()));
            return issued.map(key -> issued(exchange, key)).orElseGet(() -> alreadyIssued(exchange, id));
        } catch (ApiException refusal) {
            return form(exchange, refusal.code().status(), form.refused(refusal));
        }
    }

    private Response issued(RoutingContext exchange, ManagedKey key) {
        return ConsolePages.show(CREATED, Templates.newKey(pages.frame(exchange, "The new key", SECTION), key));
    }

    private Response alreadyIssued(RoutingContext exchange, UUID form) {
        return ConsolePages.show(
                CONFLICT,
                Templates.alreadyIssued(
                        pages.frame(exchange, "Already issued", SECTION),
                        forms.findKey(form).orElseThrow()));
    }

    private Response form(RoutingContext exchange, int status, KeyForm form) {
        return ConsolePages.show(status, Templates.issue(pages.frame(exchange, TITLE, SECTION), form, keys.plans()));
    }
}
