package dev.animalstore.web.http;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.outage.Bulkhead;
import dev.animalstore.outage.DatabaseBreaker;
import dev.animalstore.web.FilterPriorities;
import dev.animalstore.web.error.ApiException;
import io.quarkus.agroal.DataSource;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.sse.SseEventSink;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.Flow.Publisher;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;

/**
 * Bounds how many operations that block run at a time: what customers read, what they write, and operators, each for itself (docs/scale.md). An
 * operation waits for its turn before a thread is used. Outside of {@code /v1}, {@code /admin} and {@code /console} there is no bound.
 *
 * <p>The method of an operation shows its bound. If it returns a {@code Uni}, a {@code CompletionStage} or a stream, has an {@code SseEventSink} or
 * an {@code AsyncResponse}, or is {@code @NonBlocking}, it has none here. Any other one is bounded by its area and HTTP method, and is taken to need
 * PostgreSQL: while that is known to fail, it gets 503 at once.
 */
@ApplicationScoped
public class BulkheadFilter {
    private static final String NAME = BulkheadFilter.class.getName();
    private static final int READS = 3;
    private static final int WRITES = 6;
    private static final int OPERATORS = 2;

    private static final Set<HttpMethod> SAFE = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

    private final Bulkhead reads;
    private final Bulkhead writes;
    private final Bulkhead operators;

    BulkheadFilter(DatabaseBreaker database, @DataSource("metering") DatabaseBreaker keys, Ticker ticker) {
        reads = new Bulkhead("reads", READS, database, ticker);
        writes = new Bulkhead("writes", WRITES, database, ticker);
        operators = new Bulkhead("requests of operators", OPERATORS, keys, ticker);
    }

    /**
     * {@code null} if the operation does not block, or is a stream, which may last. A callback frees the place too, since response filters do not
     * run if the client has disconnected.
     */
    @ServerRequestFilter(nonBlocking = true, priority = FilterPriorities.BULKHEAD)
    public Uni<Response> enter(RoutingContext exchange) {
        ResteasyReactiveRequestContext request = CurrentRequestManager.get();
        RuntimeResource operation = request.getTarget();
        if (Area.isOutside(exchange)
                || !operation.isBlocking()
                || lasts(operation.getLazyMethod().getMethod())) {
            return null;
        }
        Bulkhead bulkhead = of(exchange);
        return Uni.createFrom()
                .completionStage(bulkhead.enter())
                .invoke(() -> {
                    AtomicBoolean entered = new AtomicBoolean(true);
                    Runnable leave = () -> {
                        if (entered.getAndSet(false)) {
                            bulkhead.leave();
                        }
                    };
                    exchange.put(NAME, leave);
                    request.registerCompletionCallback(ended -> leave.run());
                })
                .onFailure(RejectedExecutionException.class)
                .transform(rejected -> ApiException.unavailable())
                .replaceWith((Response) null);
    }

    /** Whether the response ends later than the method, whenever the operation or its client ends it. */
    private static boolean lasts(Method operation) {
        return Publisher.class.isAssignableFrom(operation.getReturnType())
                || Stream.of(operation.getParameterTypes())
                        .anyMatch(type -> type == SseEventSink.class || type == AsyncResponse.class);
    }

    /** The response may have to wait for something else than PostgreSQL. */
    @ServerResponseFilter(priority = FilterPriorities.RETURNED)
    public void leave(RoutingContext exchange) {
        Runnable leave = exchange.get(NAME);
        if (leave != null) {
            leave.run();
        }
    }

    private Bulkhead of(RoutingContext exchange) {
        if (Area.of(exchange).isForOperators()) {
            return operators;
        }
        return SAFE.contains(exchange.request().method()) ? reads : writes;
    }
}
