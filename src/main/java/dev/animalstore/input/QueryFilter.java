package dev.animalstore.input;

import dev.animalstore.error.ApiException;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.container.ResourceInfo;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Refuses what Jakarta REST overlooks in a parameter that an operation reads by {@link RestQuery}: it takes the first of several values and
 * drops an empty one. Only a parameter whose default is empty may be empty. Other parameters are ignored. Parameters are separated by {@code &}
 * only, and their names are case-sensitive (WHATWG URL).
 */
@Singleton
final class QueryFilter {
    /** Vert.x ignores those after this number. */
    private static final int MAXIMUM_PARAMETERS = 1024;

    /** By operation: whether each of its parameters may be empty. */
    private final Map<Method, Map<String, Boolean>> parameters = new ConcurrentHashMap<>();

    /**
     * Checks the parameters of the operation.
     *
     * @throws ApiException {@code invalid_parameter} if one is empty, given more than once, or contains NUL, which PostgreSQL cannot store
     */
    @ServerRequestFilter(nonBlocking = true)
    void verify(ResourceInfo operation, RoutingContext exchange) {
        if (exchange.request().query() == null) {
            return;
        }
        MultiMap sent = exchange.queryParams();
        if (exchange.request().query().length() > MAXIMUM_PARAMETERS
                && sent.entries().size() >= MAXIMUM_PARAMETERS) {
            throw ApiException.invalidParameter("There are too many parameters.");
        }
        var known = parameters.computeIfAbsent(operation.getResourceMethod(), QueryFilter::parameters);
        readAsSpelt(sent, known.keySet(), exchange.request().query());
        for (Map.Entry<String, Boolean> parameter : known.entrySet()) {
            verify(parameter.getKey(), parameter.getValue(), sent.getAll(parameter.getKey()));
        }
    }

    /** Vert.x separates parameters by semicolons too, and ignores the case of their names. Most queries need no second reading. */
    private static void readAsSpelt(MultiMap sent, Set<String> known, String query) {
        boolean certain = query.indexOf(';') < 0;
        for (Map.Entry<String, String> parameter : sent) {
            certain &= known.contains(parameter.getKey());
        }
        if (!certain) {
            sent.clear();
            Map<String, List<String>> spelt =
                    new QueryStringDecoder(query, StandardCharsets.UTF_8, false, MAXIMUM_PARAMETERS, true).parameters();
            known.forEach(name -> sent.add(name, spelt.getOrDefault(name, List.of())));
        }
    }

    private static void verify(String name, boolean mayBeEmpty, List<String> values) {
        if (values.size() > 1) {
            throw ApiException.invalidParameter(name + " is given more than once.");
        }
        if (values.contains("") && !mayBeEmpty) {
            throw ApiException.invalidParameter(name + " must not be empty.");
        }
        if (!values.isEmpty() && values.get(0).indexOf('\0') >= 0) {
            throw ApiException.invalidParameter(name + " must not contain the character NUL.");
        }
    }

    private static Map<String, Boolean> parameters(Method operation) {
        return Arrays.stream(operation.getParameters())
                .filter(parameter -> parameter.isAnnotationPresent(RestQuery.class))
                .collect(Collectors.toMap(Parameter::getName, QueryFilter::mayBeEmpty));
    }

    private static boolean mayBeEmpty(Parameter parameter) {
        DefaultValue absent = parameter.getAnnotation(DefaultValue.class);
        return absent != null && absent.value().isEmpty();
    }
}
