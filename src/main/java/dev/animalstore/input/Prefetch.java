package dev.animalstore.input;

import io.vertx.ext.web.RoutingContext;

/**
 * Loads in advance what the resource of a request needs from Redis, while the gate charges the quota, so that both take one round trip. The
 * gate runs each bean of this type once for a request that it charges.
 */
public interface Prefetch {
    /** Sends the command if the request needs it, and stores the result in the exchange. Never blocks and never throws. */
    void begin(RoutingContext exchange);
}
