package dev.animalstore.console;

import dev.animalstore.error.ApiException;
import dev.animalstore.operator.KeyOperations;
import dev.animalstore.operator.KeyRequests.NewKey;
import dev.animalstore.operator.ManagedKey;
import dev.animalstore.request.Form;
import dev.animalstore.request.JsonBinding;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Issues keys. Only the response to the form shows the key; the same form sent again shows which key it has issued. */
@ApplicationScoped
@Path(IssueResource.PATH)
@Produces(MediaType.TEXT_HTML)
public class IssueResource {
    static final String PATH = "/console/issue";

    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final KeyOperations keys;
    private final JsonBinding binding;
    private final Sessions sessions;
    private final ConsolePages pages;
    private final Clock clock;

    IssueResource(KeyOperations keys, JsonBinding binding, Sessions sessions, ConsolePages pages, Clock clock) {
        this.keys = keys;
        this.binding = binding;
        this.sessions = sessions;
        this.pages = pages;
        this.clock = clock;
    }

    /** Shows the form. */
    @GET
    public Response showIssue() {
        Map<String, String> values = Map.of(KeyForm.ID, UUID.randomUUID().toString(), KeyForm.PLAN, "free");
        return form(ConsolePages.OK, new KeyForm(values, Map.of()));
    }

    /** Issues a key. */
    @POST
    public Response issueKey(Form sent) {
        sessions.verify(sent);
        KeyForm form = KeyForm.of(sent);
        if (!ID.matcher(form.value(KeyForm.ID)).matches()) {
            return ConsolePages.redirect(PATH);
        }
        UUID id = UUID.fromString(form.value(KeyForm.ID));
        try {
            NewKey wanted = binding.bind(NewKey.class, form.members(KeyForm.EMPTY));
            return QuarkusTransaction.requiringNew()
                    .call(() -> issue(id, wanted))
                    .map(key -> pages.show(ConsolePages.CREATED, "The new key", Templates.newKey(key)))
                    .orElseGet(() -> alreadyIssued(id));
        } catch (ApiException refusal) {
            return form(refusal.code().status(), form.refused(refusal));
        }
    }

    /** Issues a key, unless the form has issued one. The form is used up if and only if the key is issued. */
    private Optional<ManagedKey> issue(UUID form, NewKey wanted) {
        if (!UsedForm.claim(form, clock.instant())) {
            return Optional.empty();
        }
        ManagedKey issued = keys.issue(wanted);
        UsedForm.setKey(form, issued.id());
        return Optional.of(issued);
    }

    private Response alreadyIssued(UUID form) {
        long key = UsedForm.<UsedForm>findById(form).keyId;
        return pages.show(ConsolePages.CONFLICT, "Already issued", Templates.alreadyIssued(key));
    }

    private Response form(int status, KeyForm form) {
        return pages.show(status, "Issue a key", Templates.issue(form, keys.plans()));
    }
}
