/**
 * Admission: the only place where keys, quotas and HTTP meet. One {@code ContainerRequestFilter} decides on every request under {@code /v1}
 * before a resource is matched, so an unknown path needs a key too. Its {@link dev.animalstore.gate.Verdict} is applied in one place, which
 * writes the rate-limit headers before any other handler responds, so every response has them.
 *
 * <p>An admitted request costs one round trip to Redis and, if its key is cached, no SQL. A refused one costs no SQL, except for one
 * indexed query if its well-formed key is not cached. At most 100 such keys per second are looked up, not counting those found within the
 * last hour; the others get 429. Nothing here blocks the event loop.
 *
 * <p>A key is checked against a copy that is at least as new as the version that Redis knows. If PostgreSQL has only an older one, it has
 * lost data; its row is valid, gets a newer version, and a warning is logged. If Redis knows no version, or was unavailable since, the
 * key is looked up again before the copy is used.
 *
 * <p>If PostgreSQL is unavailable, cached keys stay valid for their cache time. A key that cannot be verified gets 503: never access, never
 * a false 401.
 */
package dev.animalstore.gate;
