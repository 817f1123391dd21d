package dev.animalstore.web.http;

import io.vertx.ext.web.RoutingContext;

/** Opaque identifier of the authenticated caller, usable only for equality. The code that admits a request sets it. */
public final class Caller {
    private static final String NAME = Caller.class.getName();

    private Caller() {}

    public static void set(RoutingContext exchange, String name) {
        exchange.put(NAME, name);
    }

    /**
     * The identifier.
     *
     * @throws IllegalStateException if the request was not admitted
     */
    public static String of(RoutingContext exchange) {
        String caller = exchange.get(NAME);
        if (caller == null) {
            throw new IllegalStateException("The request was not admitted");
        }
        return caller;
    }
}
