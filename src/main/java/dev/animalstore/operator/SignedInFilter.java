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

/**
 * Lets no operation of operators run whose sender has not signed in, whatever path has led to it: such a request is a 500. Refuses to operators who
 * may change nothing what is not {@linkplain ForReaders for readers}. It runs after matching, so that the audit names the operation.
 */
@Singleton
public final class SignedInFilter {
    private static final String OPERATIONS = SignedInFilter.class.getPackageName() + '.';

    /** Operations of a class for those who have not signed in, too. */
    @Retention(RetentionPolicy.RUNTIME)
    public @interface ForEverybody {}

    /** Whether an operation is for readers. By default those of {@code GET} are, and others are not. */
    @Retention(RetentionPolicy.RUNTIME)
    public @interface ForReaders {
        boolean value() default true;
    }

    @ServerRequestFilter(nonBlocking = true, priority = FilterPriorities.READERS)
    public void admit(ContainerRequestContext request, ResourceInfo operation, RoutingContext exchange) {
        Class<?> resource = operation.getResourceClass();
        if (!resource.getName().startsWith(OPERATIONS)) {
            return;
        }
        Operator sender = Operator.of(exchange);
        if (!sender.isSignedIn() && !resource.isAnnotationPresent(ForEverybody.class)) {
            throw new IllegalStateException("The operator has not signed in");
        }
        if (sender.isReader()) {
            ForReaders exception = operation.getResourceMethod().getAnnotation(ForReaders.class);
            if (exception == null ? !request.getMethod().matches("GET|HEAD") : !exception.value()) {
                throw new ForbiddenException("This operator may only read.");
            }
        }
    }
}
