package dev.animalstore.web.http;

import dev.animalstore.web.FilterPriorities;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.handlers.ClassRoutingHandler;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper;
import org.jboss.resteasy.reactive.server.spi.ServerRestHandler;

/**
 * The methods of a path, for {@code Allow} on a 405, which Quarkus REST omits, and for {@code OPTIONS}, to which it responds with the methods of a
 * resource's class, also on paths that the class does not have. They come from its own routing table.
 */
@Singleton
public final class AllowedMethods {
    /** Responds to {@code OPTIONS}, after the filters that authenticate. */
    @ServerRequestFilter(preMatching = true, nonBlocking = true, priority = FilterPriorities.METHODS)
    public Response respond(ContainerRequestContext request, RoutingContext exchange) {
        if (!request.getMethod().equals(HttpMethod.OPTIONS) || Area.isOutside(exchange)) {
            return null;
        }
        String allowed = of(CurrentRequestManager.get());
        if (allowed.isEmpty()) {
            throw new NotFoundException();
        }
        return Response.ok().header(HttpHeaders.ALLOW, allowed).build();
    }

    static String of(ResteasyReactiveRequestContext request) {
        Set<String> methods = new TreeSet<>();
        var classes = new RequestMapper<>(request.getDeployment().getClassMappers());
        String path = request.getPathWithoutPrefix();
        for (var match = classes.map(path); match != null; match = classes.continueMatching(path, match)) {
            for (ServerRestHandler handler : match.value.handlers) {
                if (handler instanceof ClassRoutingHandler routes) {
                    String remaining = match.remaining.isEmpty() ? "/" : match.remaining;
                    routes.getMappers().forEach((method, mapper) -> {
                        if (method != null && mapper.map(remaining) != null) {
                            methods.add(method);
                            methods.add(HttpMethod.OPTIONS);
                            if (method.equals(HttpMethod.GET)) {
                                methods.add(HttpMethod.HEAD);
                            }
                        }
                    });
                }
            }
        }
        return String.join(", ", methods);
    }
}
