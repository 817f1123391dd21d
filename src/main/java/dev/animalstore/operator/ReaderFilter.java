package dev.animalstore.operator;

import dev.animalstore.web.FilterPriorities;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ResourceInfo;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Refuses operations that are not {@linkplain ForReaders for readers} to them. It runs after matching, so that the audit names the operation. */
@Singleton
final class ReaderFilter {
    @ServerRequestFilter(nonBlocking = true, priority = FilterPriorities.READERS)
    void admit(ContainerRequestContext request, ResourceInfo operation, RoutingContext exchange) {
        if (Operator.of(exchange).isReader()) {
            ForReaders exception = operation.getResourceMethod().getAnnotation(ForReaders.class);
            if (exception == null ? !request.getMethod().matches("GET|HEAD") : !exception.value()) {
                throw new ForbiddenException("This operator may only read.");
            }
        }
    }
}
