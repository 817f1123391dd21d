package dev.animalstore.web.list;

import dev.animalstore.web.list.ExactLists.Change;
import dev.animalstore.web.list.ListPage.Place;
import dev.animalstore.web.page.PageRequest;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Event;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;

/**
 * A list of {@link ExactLists}.
 *
 * @param <F> the filters of the list
 */
public final class ExactList<F> {
    /** A list is asked for again each time, at the cost of a 304, because any change may show in it. */
    private static final CharSequence REVALIDATED = io.vertx.core.http.HttpHeaders.createOptimized("private, no-cache");

    private final String path;
    private final BiFunction<F, PageRequest, ListPage> reader;
    private final PageCache pages;
    private final ListVersions.One version;
    private final Event<Change> changes;

    ExactList(
            String path,
            BiFunction<F, PageRequest, ListPage> reader,
            PageCache pages,
            ListVersions.One version,
            Event<Change> changes) {
        this.path = path;
        this.reader = reader;
        this.pages = pages;
        this.version = version;
        this.changes = changes;
    }

    /**
     * The response to the current request: a page, with a {@code Link} to the next one, or 304 if the client names its entity tag in
     * {@code If-None-Match}. Never blocks. The resource is to say that it {@code @Produces} JSON.
     *
     * @param filter {@code null} for all rows
     */
    public CompletionStage<RestResponse<byte[]>> find(F filter, PageRequest page) {
        RoutingContext exchange = exchange();
        return version.of(exchange)
                .toCompletionStage()
                .thenCompose(current -> pages.find(new Place(this, filter, page), current))
                .thenApply(found -> response(found, exchange));
    }

    /**
     * Tells all replicas that rows were added or changed: after the commit of the current transaction if there is one, otherwise at once. Never
     * blocks. The response to the current request is sent once they know; if Redis begins to fail, a second later. An outage of Redis fails
     * nothing, and a client that disconnects stops nothing.
     */
    public void changed() {
        changes.fire(new Change(version, exchange()));
    }

    /** Reads the first page. Blocks. */
    void verify() {
        pages.load(new Place(this, null, new PageRequest(path, "", 1, 0)));
    }

    @SuppressWarnings("unchecked") // Places of this list have its filters.
    ListPage read(Place place) {
        return reader.apply((F) place.filter(), place.page());
    }

    private static RoutingContext exchange() {
        ResteasyReactiveRequestContext request = CurrentRequestManager.get();
        return request == null ? null : request.unwrap(RoutingContext.class);
    }

    /** Adds the headers to the exchange, since Quarkus REST would copy those of a response several times. */
    private static RestResponse<byte[]> response(ListPage found, RoutingContext exchange) {
        MultiMap headers = exchange.response().headers();
        headers.set(HttpHeaders.CACHE_CONTROL, REVALIDATED);
        headers.set(HttpHeaders.ETAG, found.tag());
        if (found.next() != null) {
            headers.set(HttpHeaders.LINK, PageRequest.link(exchange.request(), found.next()));
        }
        List<String> known = exchange.request().headers().getAll(HttpHeaders.IF_NONE_MATCH);
        return found.isAmong(known) ? RestResponse.notModified() : RestResponse.ok(found.body());
    }
}
