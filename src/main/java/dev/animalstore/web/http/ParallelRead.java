package dev.animalstore.web.http;

import io.vertx.ext.web.RoutingContext;

/**
 * A read from Redis that the resource of a request needs, sent together with the charge of the quota, so that both take one round trip. The gate
 * runs each bean of this type once for a request that it charges.
 */
public interface ParallelRead {
    /** Sends the command if the request needs it, and stores the result in the exchange. Never blocks and never throws. */
    void begin(RoutingContext exchange);
}
