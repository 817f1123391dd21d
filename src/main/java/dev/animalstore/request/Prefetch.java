package dev.animalstore.request;

import io.vertx.ext.web.RoutingContext;

/**
 * What the resource of a request will ask Redis for, asked for in advance: while the gate asks whether the request is admitted, so that both
 * take one round trip. The gate runs each bean of this type once for a request that it has a decision made on.
 */
public interface Prefetch {
    /** Asks, if the request is one that needs it, and leaves the result in the exchange. Never blocks and never throws. */
    void begin(RoutingContext exchange);
}
