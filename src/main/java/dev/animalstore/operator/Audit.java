package dev.animalstore.operator;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.animalstore.http.ClientAddress;
import dev.animalstore.key.ApiKey;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Response.Status;
import java.lang.reflect.Method;
import org.jboss.logging.Logger;

/**
 * The audit log: one line, with the client's address, and one count in the metrics for each request under {@code /admin} and for each page of
 * the console. The owner is external text, so it is quoted as in JSON. A path is too, and may be a mistyped secret, so only the number of a
 * key is logged from it.
 */
@ApplicationScoped
public class Audit {
    private static final Logger LOG = Logger.getLogger(Audit.class);

    private static final int BAD_REQUEST = 400;

    private static final String KEY = Audit.class.getName() + ".key";
    private static final String OUTCOME = Audit.class.getName() + ".outcome";

    private final MeterRegistry metrics;
    private final RoutingContext exchange;

    /** @param exchange the current one of the thread that uses it */
    Audit(MeterRegistry metrics, RoutingContext exchange) {
        this.metrics = metrics;
        this.exchange = exchange;
    }

    /** Sets the key of the current request, and the status of what succeeded, which is the same under {@code /admin} and in the console. */
    void set(ApiKey key, Status outcome) {
        exchange.put(KEY, key);
        exchange.put(OUTCOME, outcome);
    }

    /**
     * Records a request and its response. The action is the name of the method, which is the same under {@code /admin} and in the console.
     *
     * @param resource {@code null} if the request had no method to choose, because its {@code Accept} is malformed
     */
    public void record(ContainerRequestContext request, ContainerResponseContext response, ResourceInfo resource) {
        int status = response.getStatus();
        Method method = resource == null ? null : resource.getResourceMethod();
        Status succeeded = exchange.get(OUTCOME);
        ApiKey key = exchange.get(KEY);
        String id =
                method == null ? null : request.getUriInfo().getPathParameters().getFirst("id");
        record(
                method == null ? "none" : method.getName(),
                key != null ? Long.toString(key.id) : id != null && id.matches("[0-9]{1,19}") ? id : "none",
                key == null ? "" : key.owner,
                succeeded == null || status >= BAD_REQUEST ? status : succeeded.getStatusCode());
    }

    /** Records a streamed response, which no filter sees. */
    public void recordStream(String action) {
        record(action, "none", "", Status.OK.getStatusCode());
    }

    private void record(String action, String id, String owner, int outcome) {
        String quoted = new String(JsonStringEncoder.getInstance().quoteAsString(owner));
        String address = ClientAddress.of(exchange.request().remoteAddress());
        LOG.infof("audit action=%s key=%s owner=\"%s\" outcome=%d address=%s", action, id, quoted, outcome, address);
        metrics.counter("animalstore.operator.actions", "action", action, "outcome", Integer.toString(outcome))
                .increment();
    }
}
