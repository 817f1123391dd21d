package dev.animalstore.operator;

import dev.animalstore.web.FilterPriorities;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ResourceInfo;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Refuses to operators who may change nothing what is not {@linkplain ForReaders for readers}. It runs after matching, so that the audit names the operation. */
@Singleton
public final class ReaderFilter {
    /** Whether an operation is for readers. By default those of {@code GET} are, and others are not. */
    @Retention(RetentionPolicy.RUNTIME)
    public @interface ForReaders {
        boolean value() default true;
    }

    @ServerRequestFilter(nonBlocking = true, priority = FilterPriorities.READERS)
    public void admit(ContainerRequestContext request, ResourceInfo operation, RoutingContext exchange) {
        if (Operator.of(exchange).isReader()) {
            ForReaders exception = operation.getResourceMethod().getAnnotation(ForReaders.class);
            if (exception == null ? !request.getMethod().matches("GET|HEAD") : !exception.value()) {
                throw new ForbiddenException("This operator may only read.");
            }
        }
    }
}
