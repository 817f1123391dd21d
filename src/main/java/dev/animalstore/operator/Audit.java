package dev.animalstore.operator;

import dev.animalstore.web.FilterPriorities;
import dev.animalstore.web.http.Area;
import dev.animalstore.web.http.ResponseStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.logging.Log;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Map;
import org.jboss.logging.MDC;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;

/**
 * The audit log: one line, with the operator and the client's address, and one count in the metrics for each request under {@code /admin} and
 * for each page of the console. What it says is in members of the line's JSON document, so the owner, which is external text, is quoted. A path is
 * external too, and may be a mistyped secret, so only the number of a key is logged from it.
 */
@Singleton
public final class Audit {
    private static final String OPERATION = Operation.class.getName();
    private static final String NONE = "none";

    private final MeterRegistry metrics;

    Audit(MeterRegistry metrics) {
        this.metrics = metrics;
    }

    /** Records the present request when it has ended, also if the client has disconnected: response filters do not run then. */
    public void begin(RoutingContext exchange) {
        CurrentRequestManager.get().registerCompletionCallback(ended -> record(exchange, ResponseStatus.of(exchange)));
    }

    /**
     * Notes the operation, before the filters that wait: if one of those fails, Quarkus REST forgets it. The action is the name of the method,
     * which is the same under {@code /admin} and in the console.
     */
    @ServerRequestFilter(nonBlocking = true, priority = FilterPriorities.MATCHED)
    public void match(RoutingContext exchange) {
        if (Area.of(exchange).isForOperators()) {
            ResteasyReactiveRequestContext request = CurrentRequestManager.get();
            String key = request.getUriInfo().getPathParameters().getFirst("id");
            exchange.put(OPERATION, new Operation(request.getTarget().getJavaMethodName(), key == null ? NONE : key));
        }
    }

    /** Records a request, once, with the status of its response, or {@link ResponseStatus#CLIENT_GONE}. */
    void record(RoutingContext exchange, int status) {
        Operator operator = Operator.of(exchange);
        if (operator.recorded) {
            return;
        }
        operator.recorded = true;
        Operation operation = exchange.get(OPERATION, new Operation(NONE, NONE));
        String key = operator.key == null ? operation.key() : Long.toString(operator.key.id);
        String owner = operator.key == null ? "" : operator.key.owner;
        boolean succeeded =
                operator.outcome != null && (status < StatusCode.BAD_REQUEST || status == ResponseStatus.CLIENT_GONE);
        String outcome = Integer.toString(succeeded ? operator.outcome.getStatusCode() : status);
        Map<String, String> members = Map.of(
                "action",
                operation.action(),
                "key",
                key,
                "owner",
                owner,
                "outcome",
                outcome,
                "operator",
                operator.name(),
                "address",
                operator.address);
        members.forEach(MDC::put);
        Log.info("audit");
        members.keySet().forEach(MDC::remove);
        metrics.counter("animalstore.operator.actions", "action", operation.action(), "outcome", outcome)
                .increment();
    }

    /** What a path asks for. The key is a number, since {@link KeyOperations#ID} matches no other text. */
    private record Operation(String action, String key) {}
}
