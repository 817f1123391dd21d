package dev.animalstore.request;

import io.vertx.ext.web.RoutingContext;

/** Who sent a request, by a name that says no more than who is the same as whom. Whoever admits a request says so here. */
public final class Caller {
    private static final String NAME = Caller.class.getName();

    private Caller() {}

    /** Makes the name known to those who come later in the exchange. */
    public static void set(RoutingContext exchange, String name) {
        exchange.put(NAME, name);
    }

    /** The name, or {@code null} where nobody has admitted the request. */
    public static String of(RoutingContext exchange) {
        return exchange.get(NAME);
    }
}
