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

/** Issues keys. The response to the form is the only page that shows the key; the form sent again says which key it has issued. */
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
    private final FormsThatIssue issuing;
    private final JsonBinding binding;
    private final OwnForms forms;
    private final ConsolePages pages;

    IssueResource(KeyOperations keys, FormsThatIssue issuing, JsonBinding binding, OwnForms forms, ConsolePages pages) {
        this.keys = keys;
        this.issuing = issuing;
        this.binding = binding;
        this.forms = forms;
        this.pages = pages;
    }

    /** The form. */
    @GET
    public Response showIssue(RoutingContext exchange) {
        return form(exchange, OK, KeyForm.of(Map.of("id", UUID.randomUUID().toString(), "plan", "free")));
    }

    /** Issues a key. */
    @POST
    public Response issueKey(Form sent, RoutingContext exchange) {
        forms.verify(sent, exchange);
        KeyForm form = KeyForm.of(sent);
        if (form.id().isEmpty()) {
            return ConsolePages.redirect("/console/issue");
        }
        UUID id = form.id().get();
        try {
            Optional<ManagedKey> issued = issuing.issue(id, binding.bind(KeyRequests.NewKey.class, form.newKey()));
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
                        pages.frame(exchange, "Issued already", SECTION),
                        issuing.findKey(form).orElseThrow()));
    }

    private Response form(RoutingContext exchange, int status, KeyForm form) {
        return ConsolePages.show(status, Templates.issue(pages.frame(exchange, TITLE, SECTION), form, keys.plans()));
    }
}
