package dev.animalstore.operator;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.animalstore.web.http.ResponseStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;

/**
 * The audit log: one line, with the operator and the client's address, and one count in the metrics for each request under {@code /admin} and
 * for each page of the console. The owner is external text, so it is quoted as in JSON. A path is too, and may be a mistyped secret, so only
 * the number of a key is logged from it.
 */
@Singleton
public final class Audit {
    private static final Logger LOG = Logger.getLogger(Audit.class);

    private final MeterRegistry metrics;

    Audit(MeterRegistry metrics) {
        this.metrics = metrics;
    }

    /** Records the present request when it has ended, also if the client has disconnected: response filters do not run then. */
    public void begin(RoutingContext exchange) {
        ResteasyReactiveRequestContext request = CurrentRequestManager.get();
        request.registerCompletionCallback(
                ended -> record(request, Operator.of(exchange), ResponseStatus.of(exchange)));
    }

    /**
     * Records a request, once. The action is the name of the method, which is the same under {@code /admin} and in the console.
     *
     * @param status of the response, or {@link ResponseStatus#CLIENT_GONE}
     */
    void record(ResteasyReactiveRequestContext request, Operator operator, int status) {
        if (operator.recorded) {
            return;
        }
        operator.recorded = true;
        boolean matched = request.getTarget() != null;
        String action =
                matched ? request.getTarget().getLazyMethod().getMethod().getName() : "none";
        String named = matched ? request.getUriInfo().getPathParameters().getFirst("id") : null;
        String id = "none";
        if (operator.key != null) {
            id = Long.toString(operator.key.id);
        } else if (named != null && named.matches("[0-9]+")) {
            id = named;
        }
        String owner = operator.key == null ? "" : operator.key.owner;
        boolean succeeded =
                operator.outcome != null && (status < StatusCode.BAD_REQUEST || status == ResponseStatus.CLIENT_GONE);
        String outcome = Integer.toString(succeeded ? operator.outcome.getStatusCode() : status);
        LOG.infof(
                "audit action=%s key=%s owner=\"%s\" outcome=%s operator=%s address=%s",
                action,
                id,
                new String(JsonStringEncoder.getInstance().quoteAsString(owner)),
                outcome,
                operator.name(),
                operator.address);
        metrics.counter("animalstore.operator.actions", "action", action, "outcome", outcome)
                .increment();
    }
}
