package dev.animalstore.operator;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.animalstore.key.ApiKey;
import dev.animalstore.request.ClientAddress;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Response.Status;
import java.lang.reflect.Method;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * The audit log: one line and one count in the metrics for each request under {@code /admin} and for each page of the console. The line of a
 * request without the operators' token has the client's address. The owner is external text, so it is quoted as in JSON. A path is too, and
 * may be a mistyped secret, so only the number of a key is logged from it.
 */
@ApplicationScoped
public class Audit {
    private static final Logger LOG = Logger.getLogger(Audit.class);

    private static final int DEFECT = 500;

    /** The statuses of requests without the operators' token. */
    private static final Set<Integer> REFUSED = Set.of(401, 429);

    private static final String KEY = Audit.class.getName() + ".key";
    private static final String CHANGE = Audit.class.getName() + ".change";

    private final MeterRegistry metrics;
    private final RoutingContext exchange;

    /** @param exchange the current one of the thread that uses it */
    Audit(MeterRegistry metrics, RoutingContext exchange) {
        this.metrics = metrics;
        this.exchange = exchange;
    }

    /** Sets the key of the current request. */
    void set(ApiKey key) {
        exchange.put(KEY, key);
    }

    /** Sets what the current request has changed. It has the same name and outcome under {@code /admin} and in the console. */
    void set(ApiKey key, String action, Status outcome) {
        set(key);
        exchange.put(CHANGE, new Change(action, outcome.getStatusCode()));
    }

    /** Records a request and its response. */
    public void record(ContainerRequestContext request, ContainerResponseContext response, ResourceInfo resource) {
        int status = response.getStatus();
        Change change = exchange.get(CHANGE);
        // An operation may still fail to commit.
        if (change == null || status >= DEFECT) {
            Method method = resource.getResourceMethod();
            change = new Change(method == null ? "none" : method.getName(), status);
        }
        ApiKey key = exchange.get(KEY);
        String address = ClientAddress.of(exchange.request().remoteAddress());
        record(
                change,
                key == null ? idInPath(request) : Long.toString(key.id),
                key == null ? "" : key.owner,
                REFUSED.contains(status) ? " address=" + address : "");
    }

    /** Records a streamed response, which no filter sees. */
    public void recordStream(String action) {
        record(new Change(action, 200), "none", "", "");
    }

    private void record(Change change, String id, String owner, String from) {
        String outcome = Integer.toString(change.outcome());
        String quoted = new String(JsonStringEncoder.getInstance().quoteAsString(owner));
        LOG.infof("audit action=%s key=%s owner=\"%s\" outcome=%s%s", change.action(), id, quoted, outcome, from);
        metrics.counter("animalstore.operator.actions", "action", change.action(), "outcome", outcome)
                .increment();
    }

    private static String idInPath(ContainerRequestContext request) {
        String id = request.getUriInfo().getPathParameters().getFirst("id");
        return id != null && id.matches("[0-9]{1,19}") ? id : "none";
    }

    /** An operation and its status, or that of its equivalent under {@code /admin}. */
    private record Change(String action, int outcome) {}
}
