package dev.animalstore.console;

import dev.animalstore.admin.KeyOperations;
import dev.animalstore.admin.ManagedKey;
import dev.animalstore.key.KeyFilter;
import dev.animalstore.key.KeyState;
import dev.animalstore.key.PlanDetails;
import dev.animalstore.page.PageRequest;
import dev.animalstore.page.Pages;
import dev.animalstore.request.QueryParameters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The page that lists keys. */
@ApplicationScoped
@Path(ConsolePages.KEYS)
@Produces(MediaType.TEXT_HTML)
public class KeysResource {
    private static final int OK = 200;

    private final KeyOperations keys;
    private final Pages lists;
    private final ConsolePages pages;
    private final Clock clock;

    KeysResource(KeyOperations keys, Pages lists, ConsolePages pages, Clock clock) {
        this.keys = keys;
        this.lists = lists;
        this.pages = pages;
        this.clock = clock;
    }

    /** Lists keys in ascending order of their identifiers, a page at a time. Empty search fields are ignored. */
    @GET
    public Response listKeys(UriInfo uri, RoutingContext exchange) {
        QueryParameters query = new QueryParameters(uri);
        Map<String, String> given = new LinkedHashMap<>();
        for (String name : List.of("owner", "plan", "state")) {
            query.find(name).filter(value -> !value.isEmpty()).ifPresent(value -> given.put(name, value));
        }
        Optional<KeyState> state = given.containsKey("state") ? query.find("state", KeyState.class) : Optional.empty();
        KeyFilter filter = new KeyFilter(
                Optional.empty(),
                Optional.ofNullable(given.get("owner")),
                Optional.ofNullable(given.get("plan")),
                state);
        List<PlanDetails> plans = keys.plans();
        filter.plan().ifPresent(plan -> verify(plan, plans));
        PageRequest page = lists.read(uri, given);
        List<ManagedKey> rows = keys.list(filter, page.after(), page.fetchSize());
        return ConsolePages.show(
                OK, Templates.keys(pages.frame(exchange, "Keys", "keys"), list(filter, page, rows), plans));
    }

    /** Refuses an unknown plan, as an unknown state is refused. */
    private static void verify(String plan, List<PlanDetails> plans) {
        if (plans.stream().noneMatch(each -> each.name().equals(plan))) {
            throw QueryParameters.invalid("plan must be one of "
                    + plans.stream().map(PlanDetails::name).collect(Collectors.joining(", ")) + ".");
        }
    }

    private KeyList list(KeyFilter filter, PageRequest page, List<ManagedKey> rows) {
        Instant now = clock.instant();
        boolean more = rows.size() > page.limit();
        List<ManagedKey> shown = more ? rows.subList(0, page.limit()) : rows;
        String next = more
                ? ConsolePages.KEYS
                        + page.queryAfter(shown.get(shown.size() - 1).id())
                : "";
        return new KeyList(
                filter, shown.stream().map(key -> new KeyView(key, now)).toList(), next, page.after() == 0);
    }
}
