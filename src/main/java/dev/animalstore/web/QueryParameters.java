package dev.animalstore.web;

import jakarta.ws.rs.QueryParam;
import java.lang.reflect.Parameter;
import org.jboss.resteasy.reactive.RestQuery;

/** The query parameters of an operation, by the annotation of Quarkus REST or of Jakarta REST. */
public final class QueryParameters {
    private QueryParameters() {}

    /** The name under which a parameter of a method is sent; {@code null} if it is not one of the query. */
    public static String name(Parameter parameter) {
        QueryParam query = parameter.getAnnotation(QueryParam.class);
        if (query != null) {
            return query.value();
        }
        RestQuery rest = parameter.getAnnotation(RestQuery.class);
        if (rest == null) {
            return null;
        }
        return rest.value().isEmpty() ? parameter.getName() : rest.value();
    }
}
