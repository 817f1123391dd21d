package dev.animalstore.metering.gate;

import dev.animalstore.web.FilterPriorities;
import dev.animalstore.web.http.Area;
import dev.animalstore.web.http.Caller;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;
import org.jboss.resteasy.reactive.server.mapping.URITemplate;

/**
 * Lets no operation under {@code /v1} run that {@link GateFilter} has not admitted, by the path of the operation itself and by the one that Quarkus REST
 * has matched. So no spelling of a path, no prefix and no route of others leads past the gate: such a request is a 500.
 */
@Singleton
public final class AdmittedFilter {
    @ServerRequestFilter(nonBlocking = true, priority = FilterPriorities.ADMITTED)
    public void requireCaller(RoutingContext exchange) {
        if (Caller.isOn(exchange)) {
            return;
        }
        ResteasyReactiveRequestContext request = CurrentRequestManager.get();
        RuntimeResource operation = request.getTarget();
        if (isOfApi(operation.getClassPath(), operation.getPath())
                || Area.ofPath(request.getPathWithoutPrefix()) == Area.API) {
            throw new IllegalStateException("The request was not admitted");
        }
    }

    private static boolean isOfApi(URITemplate resource, URITemplate method) {
        String path = (resource == null ? "" : resource.template) + method.template;
        return Area.ofPath(path.replaceAll("//+", "/")) == Area.API;
    }
}
