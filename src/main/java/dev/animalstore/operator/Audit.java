package dev.animalstore.operator;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.animalstore.metering.key.ApiKey;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Response.Status;
import java.lang.reflect.Method;
import org.jboss.logging.Logger;

/**
 * The audit log: one line, with the operator and the client's address, and one count in the metrics for each request under {@code /admin} and
 * for each page of the console. The owner is external text, so it is quoted as in JSON. A path is too, and may be a mistyped secret, so only
 * the number of a key is logged from it.
 */
@ApplicationScoped
public class Audit {
    private static final Logger LOG = Logger.getLogger(Audit.class);

    private static final int BAD_REQUEST = 400;

    private final MeterRegistry metrics;

    Audit(MeterRegistry metrics) {
        this.metrics = metrics;
    }

    /**
     * Records a request and its response. The action is the name of the method, which is the same under {@code /admin} and in the console.
     *
     * @param resource {@code null} if the request had no method to choose, because its {@code Accept} is malformed
     */
    public void record(
            Operator operator,
            ContainerRequestContext request,
            ContainerResponseContext response,
            ResourceInfo resource) {
        int status = response.getStatus();
        Method method = resource == null ? null : resource.getResourceMethod();
        String id =
                method == null ? null : request.getUriInfo().getPathParameters().getFirst("id");
        record(
                operator,
                method == null ? "none" : method.getName(),
                operator.key,
                id,
                operator.outcome == null || status >= BAD_REQUEST ? status : operator.outcome.getStatusCode());
    }

    /** Records a streamed response, which no filter sees, about a key or, if it is 0, about all. */
    void recordStream(Operator operator, String action, long key) {
        record(operator, action, null, key == 0 ? null : Long.toString(key), Status.OK.getStatusCode());
    }

    private void record(Operator operator, String action, ApiKey key, String named, int outcome) {
        String id =
                key != null ? Long.toString(key.id) : named != null && named.matches("[0-9]{1,19}") ? named : "none";
        String owner = new String(JsonStringEncoder.getInstance().quoteAsString(key == null ? "" : key.owner));
        LOG.infof(
                "audit action=%s key=%s owner=\"%s\" outcome=%d operator=%s address=%s",
                action, id, owner, outcome, operator.name(), operator.address);
        metrics.counter("animalstore.operator.actions", "action", action, "outcome", Integer.toString(outcome))
                .increment();
    }
}
