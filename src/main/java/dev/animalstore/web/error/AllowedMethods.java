package dev.animalstore.web.error;

import java.util.Set;
import java.util.TreeSet;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.handlers.ClassRoutingHandler;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper;
import org.jboss.resteasy.reactive.server.spi.ServerRestHandler;

/** The methods of a path, for {@code Allow} on a 405, which Quarkus REST omits. They come from its own routing table, so the two agree. */
final class AllowedMethods {
    private AllowedMethods() {}

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
                            methods.addAll(
                                    method.equals("GET")
                                            ? Set.of("GET", "HEAD", "OPTIONS")
                                            : Set.of(method, "OPTIONS"));
                        }
                    });
                }
            }
        }
        return String.join(", ", methods);
    }
}
