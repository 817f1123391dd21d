package dev.animalstore.operator.console;

import dev.animalstore.metering.key.Plan;
import dev.animalstore.operator.KeyDirectory;
import dev.animalstore.operator.KeyFilter;
import dev.animalstore.operator.KeyOperations;
import dev.animalstore.operator.KeyRequests.Lookup;
import dev.animalstore.operator.KeyRequests.NewKey;
import dev.animalstore.operator.ManagedKey;
import dev.animalstore.operator.Operator;
import dev.animalstore.operator.ReportQueue;
import dev.animalstore.operator.SignedInFilter.ForReaders;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.input.BodyReader;
import dev.animalstore.web.page.PageRequest;
import dev.animalstore.web.page.PageRequest.Limit;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;

/** Lists keys, looks one up by its text, and issues keys. */
@ApplicationScoped
@Path(ConsolePages.ROOT)
@Produces(MediaType.TEXT_HTML)
@Consumes(MediaType.APPLICATION_FORM_URLENCODED)
public class KeysResource {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final KeyDirectory keys;
    private final KeyOperations operations;
    private final BodyReader reader;
    private final ReportQueue reports;
    private final Clock clock;

    KeysResource(KeyDirectory keys, KeyOperations operations, BodyReader reader, ReportQueue reports, Clock clock) {
        this.keys = keys;
        this.operations = operations;
        this.reader = reader;
        this.reports = reports;
        this.clock = clock;
    }

    /** Lists keys as under {@code /admin}. Empty search fields are ignored. */
    @GET
    @Path("keys")
    public Uni<Response> listKeys(
            @RestQuery @DefaultValue("") String owner,
            @RestQuery @DefaultValue("") String ownerIs,
            @RestQuery @DefaultValue("") String plan,
            @RestQuery @DefaultValue("") String state,
            @RestQuery @DefaultValue("") String order,
            @RestQuery @DefaultValue(Limit.DEFAULT) Limit limit,
            @RestQuery String cursor,
            RoutingContext exchange) {
        KeyFilter filter = KeyFilter.of(owner, ownerIs, plan, state, order);
        PageRequest page = PageRequest.of(ConsolePages.KEYS, limit, cursor, filter.given());
        return reports.search(
                filter.search(),
                () -> ConsolePages.show(
                        exchange, StatusCode.OK, Templates.keys(list(filter, page), Plan.listInOrder(), Form.EMPTY)));
    }

    private KeyList list(KeyFilter filter, PageRequest page) {
        List<ManagedKey> rows = keys.list(filter.search(), page.after(), page.fetchSize());
        List<ManagedKey> shown = rows.subList(0, Math.min(rows.size(), page.limit()));
        return new KeyList(
                filter.given(),
                keys.count(filter.search()).orElse(-1),
                KeyView.list(shown, clock.instant()),
                page.after() == 0 ? "" : page.next(keys.before(filter.search(), page.after(), page.limit())),
                rows.size() == shown.size()
                        ? ""
                        : page.next(shown.get(shown.size() - 1).id()),
                keys.areQuotasShared(shown));
    }

    /** Finds the key of a text that was found in public. The text is in the body of the form only, and in no page. */
    @POST
    @Path("keys/lookup")
    public Response lookupKey(String body, RoutingContext exchange) {
        Form sent = Form.parse(body);
        try {
            ManagedKey found = keys.lookUp(
                    Operator.of(exchange), new Lookup(sent.value("key").strip()));
            return ConsolePages.redirect(new KeyView(found, clock.instant()).path() + "?found=" + found.found());
        } catch (ApiException refusal) {
            return ConsolePages.show(exchange, refusal.code().status(), Templates.lookup(Form.EMPTY.refused(refusal)));
        }
    }

    @GET
    @ForReaders(false)
    @Path("issue")
    public Response showIssue(RoutingContext exchange) {
        Map<String, String> values = Map.of(KeyForm.ID, UUID.randomUUID().toString(), KeyForm.PLAN, "free");
        return showIssue(exchange, StatusCode.OK, new Form(values, Map.of()));
    }

    private static Response showIssue(RoutingContext exchange, int status, Form form) {
        return ConsolePages.show(exchange, status, Templates.issue(form, Plan.listInOrder()));
    }

    /** Issues a key, which only this response shows. The same form sent again shows which key it has issued. */
    @POST
    @Path("issue")
    public Response issueKey(String body, RoutingContext exchange) {
        Form sent = Form.parse(body);
        if (!ID.matcher(sent.value(KeyForm.ID)).matches()) {
            return ConsolePages.redirect(ConsolePages.ISSUE);
        }
        UUID id = UUID.fromString(sent.value(KeyForm.ID));
        try {
            NewKey wanted = reader.read(NewKey.class, KeyForm.members(sent, Form.EMPTY));
            ManagedKey issued =
                    operations.issue(Operator.of(exchange), wanted, key -> UsedForm.use(id, key, clock.instant()));
            return ConsolePages.show(exchange, StatusCode.CREATED, Templates.newKey(issued, 0));
        } catch (ApiException refusal) {
            UsedForm used = UsedForm.findById(id);
            return used == null
                    ? showIssue(exchange, refusal.code().status(), sent.refused(refusal))
                    : ConsolePages.show(exchange, StatusCode.CONFLICT, Templates.alreadyIssued(used.keyId));
        }
    }

    /**
     * A page of the list of keys that match the search fields that are not empty. The addresses of other pages may be empty.
     *
     * @param total how many keys match; negative if that is unknown
     * @param shared whether bans and quotas are those of all replicas
     */
    record KeyList(
            Map<String, String> search, long total, List<KeyView> keys, String previous, String next, boolean shared) {
        public String value(String field) {
            return search.getOrDefault(field, "");
        }

        public List<String> states() {
            return KeyFilter.states();
        }
    }
}
