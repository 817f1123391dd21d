package dev.animalstore.admin;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.animalstore.key.KeyDetails;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.HttpHeaders;
import java.lang.reflect.Method;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * The audit log: one line and one count in the metrics for each request under {@code /admin} and for each page of the console, including
 * refused ones. The owner is external text, so it is quoted as in JSON. A path is too, and may be a mistyped secret, so only the number of
 * a key is logged from it.
 */
@ApplicationScoped
class Audit {
    private static final Logger LOG = Logger.getLogger(Audit.class);

    private static final int DEFECT = 500;

    private final MeterRegistry metrics;
    private final AuditedKey audited;

    Audit(MeterRegistry metrics, AuditedKey audited) {
        this.metrics = metrics;
        this.audited = audited;
    }

    @ServerResponseFilter
    void record(ContainerRequestContext request, ContainerResponseContext response, ResourceInfo resource) {
        if (OperatorFilter.isOperators(request)) {
            response.getHeaders().putSingle(HttpHeaders.CACHE_CONTROL, "no-store");
        } else if (!ConsolePath.isPage(request)) {
            return;
        }
        Method method = resource.getResourceMethod();
        String requested = method == null ? "none" : method.getName();
        // An operation may still fail to commit.
        boolean done = audited.action() != null && response.getStatus() < DEFECT;
        String action = done ? audited.action() : requested;
        String outcome = Integer.toString(done ? audited.outcome() : response.getStatus());
        KeyDetails key = audited.key();
        String id = key == null ? idInPath(request) : Long.toString(key.id());
        String owner = key == null ? "" : key.owner();
        record(action, id, owner, outcome);
    }

    /** Records a streamed response, which no filter sees. */
    void recordStream(String action) {
        record(action, "none", "", "200");
    }

    private void record(String action, String id, String owner, String outcome) {
        LOG.infof("audit action=%s key=%s owner=\"%s\" outcome=%s", action, id, quote(owner), outcome);
        metrics.counter("animalstore.operator.actions", "action", action, "outcome", outcome)
                .increment();
    }

    private static String idInPath(ContainerRequestContext request) {
        String id = request.getUriInfo().getPathParameters().getFirst("id");
        return id != null && id.matches("[0-9]{1,19}") ? id : "none";
    }

    private static String quote(String text) {
        return new String(JsonStringEncoder.getInstance().quoteAsString(text));
    }
}
