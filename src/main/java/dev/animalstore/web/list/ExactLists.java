package dev.animalstore.web.list;

import dev.animalstore.outage.DatabaseBreaker;
import dev.animalstore.web.FilterPriorities;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.interceptor.Interceptor;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.ToLongFunction;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;

/** Defines lists, and holds back the responses of those that change them until the changes are announced. */
@ApplicationScoped
public class ExactLists {
    private static final String ANNOUNCED = ExactLists.class.getName();

    private final Collection<ExactList<?>> lists = new ConcurrentLinkedQueue<>();
    private final PageCache pages;
    private final ListVersions versions;
    private final DatabaseBreaker database;
    private final Event<Change> changes;

    ExactLists(PageCache pages, ListVersions versions, DatabaseBreaker database, Event<Change> changes) {
        this.pages = pages;
        this.versions = versions;
        this.database = database;
        this.changes = changes;
    }

    /**
     * Defines the list at a path, which only one resource does, when it is created.
     *
     * @param rows reads them from PostgreSQL by one query
     * @param id the identifier of a row, which is positive
     */
    public <F, T> ExactList<F> at(String path, Rows<F, T> rows, ToLongFunction<T> id) {
        ExactList<F> list = new ExactList<>(
                path,
                (filter, page) -> ListPage.of(page, rows.read(filter, page.after(), page.fetchSize()), id),
                pages,
                versions.at(path),
                changes);
        lists.add(list);
        return list;
    }

    /** The first page of each list of a {@code @Startup} resource: a database that refuses it prevents the start. */
    void verify(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent started) throws SQLException {
        if (!lists.isEmpty()) {
            database.open();
        }
        lists.forEach(ExactList::verify);
    }

    /** Called after the commit of the transaction that has changed a list, or at once if there is none; never after a rollback. */
    void announce(@Observes(during = TransactionPhase.AFTER_SUCCESS) Change change) {
        Future<Void> announced = change.version().announce();
        if (change.exchange() != null) {
            Future<?> earlier = change.exchange().get(ANNOUNCED);
            change.exchange().put(ANNOUNCED, earlier == null ? announced : Future.join(earlier, announced));
        }
    }

    /** Without a thread or a place in a bulkhead, since an announcement takes a second if Redis begins to fail. */
    @ServerResponseFilter(priority = FilterPriorities.SENDING)
    public void await(RoutingContext exchange) {
        Future<?> announced = exchange.get(ANNOUNCED);
        if (announced != null && !announced.isComplete()) {
            ResteasyReactiveRequestContext request = CurrentRequestManager.get();
            request.suspend();
            announced.onComplete(ended -> request.resume(request.getContextExecutor()));
        }
    }

    /** @param exchange of the request that has changed the list; {@code null} if it was none */
    record Change(ListVersions.One version, RoutingContext exchange) {}

    /**
     * Reads the rows of a list.
     *
     * @param <F> the filters of the list, as a value with {@code equals}
     */
    @FunctionalInterface
    public interface Rows<F, T> {
        /** At most {@code count} rows after an identifier that pass the filter, {@code null} for all, in ascending order of identifiers. Blocks. */
        List<T> read(F filter, long after, int count);
    }
}
