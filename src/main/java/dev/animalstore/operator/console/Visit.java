package dev.animalstore.operator.console;

import dev.animalstore.operator.Operator;
import dev.animalstore.web.page.PageRequest;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * What every page knows of its request.
 *
 * @param operator who has signed in; empty if nobody has
 * @param service the address of the service, which also serves the API, as the browser sees it
 */
record Visit(String operator, String service) {
    static Visit of(RoutingContext exchange) {
        Operator operator = Operator.of(exchange);
        HttpServerRequest request = exchange.request();
        return new Visit(operator.isSignedIn() ? operator.name() : "", origin(request) + PageRequest.prefix(request));
    }

    static String origin(HttpServerRequest request) {
        return request.scheme() + "://" + request.authority();
    }
}
