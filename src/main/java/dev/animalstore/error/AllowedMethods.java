package dev.animalstore.error;

import jakarta.inject.Singleton;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.handlers.ClassRoutingHandler;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper;
import org.jboss.resteasy.reactive.server.spi.ServerRestHandler;

/**
 * The methods that a path supports, for the {@code Allow} header of a 405, which Quarkus REST omits, and of a response to OPTIONS, in which
 * it lists those of all paths of a class. They come from its own routing table, so the two cannot disagree.
 */
@Singleton
final class AllowedMethods {
    /** Runs before other filters, since the path may not exist. */
    @ServerResponseFilter(priority = Priorities.USER + 1)
    void correct(ContainerRequestContext request, ContainerResponseContext response) {
        if (!request.getMethod().equals(HttpMethod.OPTIONS) || response.getStatus() != StatusCode.OK) {
            return;
        }
        String allowed = of(CurrentRequestManager.get());
        if (allowed.isEmpty()) {
            ApiError error = new ApiError(ErrorCode.NOT_FOUND, "No such path.");
            response.setStatus(error.status());
            response.setEntity(error, null, MediaType.APPLICATION_JSON_TYPE);
            response.getHeaders().remove(HttpHeaders.ALLOW);
        } else {
            response.getHeaders().putSingle(HttpHeaders.ALLOW, allowed);
        }
    }

    static String of(ResteasyReactiveRequestContext request) {
        Set<String> methods = new TreeSet<>();
        var classes = new RequestMapper<>(request.getDeployment().getClassMappers());
        String path = request.getPathWithoutPrefix();
        for (var match = classes.map(path); match != null; match = classes.continueMatching(path, match)) {
            for (ServerRestHandler handler : match.value.handlers) {
                if (handler instanceof ClassRoutingHandler routes) {
                    addMethods(routes, match.remaining.isEmpty() ? "/" : match.remaining, methods);
                }
            }
        }
        return String.join(", ", methods);
    }

    private static void addMethods(ClassRoutingHandler routes, String remainingPath, Set<String> methods) {
        routes.getMappers().forEach((method, mapper) -> {
            if (method != null && mapper.map(remainingPath) != null) {
                methods.addAll(method.equals("GET") ? Set.of("GET", "HEAD", "OPTIONS") : Set.of(method, "OPTIONS"));
            }
        });
    }
}
