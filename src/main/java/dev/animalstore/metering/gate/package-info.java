/**
 * Admission: the only place where keys, quotas and HTTP meet. One {@code ContainerRequestFilter} decides on every request under {@code /v1}
 * before a resource is matched, so an unknown path needs a key too. Its {@link dev.animalstore.metering.gate.Verdict} is applied in one place, which
 * writes the rate-limit headers before any other handler responds, so every response has them.
 *
 * <p>An admitted request costs one round trip to Redis and, if there is a copy of its key, no SQL. A refused one costs no SQL, except for a
 * share of a query if there is no copy of its well-formed key. Nothing here blocks the event loop.
 * A customer's own key is shown by the same verdict, uncharged.
 * A key that cannot be verified gets 503, never access; 401 is what the database says.
 */
package dev.animalstore.metering.gate;
