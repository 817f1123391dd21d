package dev.animalstore.web.input;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.animalstore.web.FilterPriorities;
import dev.animalstore.web.QueryParameters;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.http.Area;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.container.ResourceInfo;
import java.lang.reflect.Parameter;
import java.util.Collection;
import java.util.List;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Refuses a parameter that an operation reads if it is given twice, has NUL, which PostgreSQL cannot store, or is empty
 * although its default is not. Jakarta REST would take the first value, and drop an empty one. A parameter that is a constant of an enumeration has
 * the name that the constant has in JSON.
 */
@Singleton
public final class QueryFilter {
    private final ObjectMapper json;

    QueryFilter(ObjectMapper json) {
        this.json = json;
    }

    @ServerRequestFilter(nonBlocking = true, priority = FilterPriorities.PARAMETERS)
    public void verify(ResourceInfo operation, RoutingContext exchange) {
        if (exchange.request().query() == null || Area.isOutside(exchange)) {
            return;
        }
        for (Parameter parameter : operation.getResourceMethod().getParameters()) {
            String name = QueryParameters.name(parameter);
            List<String> sent = name == null ? List.of() : exchange.queryParam(name);
            DefaultValue absent = parameter.getAnnotation(DefaultValue.class);
            boolean mayBeEmpty = absent != null && absent.value().isEmpty();
            if ((sent.size() > 1 && !takesSeveral(parameter.getType()))
                    || (sent.contains("") && !mayBeEmpty)
                    || sent.toString().indexOf('\0') >= 0) {
                throw ApiException.invalidParameter(
                        name + " must be given once, must not be empty, and must not contain NUL.");
            }
            if (parameter.getType().isEnum() && !sent.isEmpty()) {
                // Jakarta REST finds a constant by its name in Java.
                exchange.queryParams().set(name, constant(parameter, name, sent.get(0)));
            }
        }
    }

    private static boolean takesSeveral(Class<?> type) {
        return type.isArray() || Collection.class.isAssignableFrom(type);
    }

    private String constant(Parameter parameter, String name, String sent) {
        Object[] constants = parameter.getType().getEnumConstants();
        int index = List.of(json.convertValue(constants, String[].class)).indexOf(sent);
        if (index < 0) {
            JavaType type = json.constructType(parameter.getType());
            throw ApiException.invalidParameter(name + " " + Mismatch.requirement(type, json) + ".");
        }
        return ((Enum<?>) constants[index]).name();
    }
}
