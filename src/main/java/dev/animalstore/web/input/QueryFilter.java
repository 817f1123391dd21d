package dev.animalstore.web.input;

import dev.animalstore.web.QueryParameters;
import dev.animalstore.web.error.ApiException;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.container.ResourceInfo;
import java.lang.reflect.Parameter;
import java.util.List;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Refuses a parameter that an operation reads if it is given twice, has NUL, which PostgreSQL cannot store, or is empty
 * although its default is not. Jakarta REST would take the first value, and drop an empty one.
 */
@Singleton
final class QueryFilter {
    @ServerRequestFilter(nonBlocking = true)
    void verify(ResourceInfo operation, RoutingContext exchange) {
        if (exchange.request().query() != null) {
            for (Parameter parameter : operation.getResourceMethod().getParameters()) {
                String name = QueryParameters.name(parameter);
                List<String> sent = name == null ? List.of() : exchange.queryParam(name);
                DefaultValue absent = parameter.getAnnotation(DefaultValue.class);
                boolean mayBeEmpty = absent != null && absent.value().isEmpty();
                if (sent.size() > 1
                        || (sent.contains("") && !mayBeEmpty)
                        || sent.toString().indexOf('\0') >= 0) {
                    throw ApiException.invalidParameter(
                            name + " must be given once, must not be empty, and must not contain NUL.");
                }
            }
        }
    }
}
