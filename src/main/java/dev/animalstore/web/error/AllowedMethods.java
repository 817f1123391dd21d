package dev.animalstore.web.error;

import java.util.Set;
import java.util.TreeSet;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.handlers.ClassRoutingHandler;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper;
import org.jboss.resteasy.reactive.server.spi.ServerRestHandler;

/** The methods that a path supports, for the {@code Allow} header of a 405, which Quarkus REST omits. They come from its own routing table. */
final class AllowedMethods {
    private AllowedMethods() {}

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
