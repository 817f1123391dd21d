package dev.animalstore.operator.console;

import dev.animalstore.operator.Operator;
import dev.animalstore.web.page.PageRequest;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * What every page knows of its request.
 *
 * @param operator who has signed in; empty if nobody has
 * @param reader whether the operator may change nothing, and is shown no forms but searches
 * @param service the address of the service, which also serves the API, as the browser sees it
 */
record Visit(String operator, boolean reader, String service) {
    static Visit of(RoutingContext exchange) {
        Operator operator = Operator.of(exchange);
        HttpServerRequest request = exchange.request();
        String service = origin(request) + PageRequest.prefix(request);
        return new Visit(operator.isSignedIn() ? operator.name() : "", operator.isReader(), service);
    }

    static String origin(HttpServerRequest request) {
        return request.scheme() + "://" + request.authority();
    }
}
