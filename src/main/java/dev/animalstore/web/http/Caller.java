package dev.animalstore.web.http;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.Context;
import java.util.Objects;

/**
 * Who sent a request under {@code /v1}: a parameter of an operation, by this type alone. The code that admits a request sets it.
 *
 * @param exchange of the request
 */
public record Caller(@Context RoutingContext exchange) {
    private static final String NAME = Caller.class.getName();

    /** Admits a request with a key of that number and plan. */
    public static void set(RoutingContext exchange, long key, String plan) {
        exchange.put(NAME, new Admitted(key, plan));
    }

    public static boolean isOn(RoutingContext exchange) {
        return exchange.get(NAME) != null;
    }

    /** The number of the key, which stays the same when its secrets are rotated. */
    public long key() {
        return admitted().key();
    }

    /** The name of the key's plan. */
    public String plan() {
        return admitted().plan();
    }

    private Admitted admitted() {
        return Objects.requireNonNull(exchange.get(NAME), "The request was not admitted");
    }

    private record Admitted(long key, String plan) {}
}
