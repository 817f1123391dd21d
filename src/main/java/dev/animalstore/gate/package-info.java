/**
 * Admission: the only place where keys, quotas and HTTP meet. One {@code ContainerRequestFilter}, before a
 * resource is matched, decides on every request under {@code /v1}, so that an unknown path needs a key too, and writes the rate-limit headers before anybody else answers, so that no answer lacks them.
 *
 * <p>An admitted request has cost one round trip to Redis and, where its key is remembered, no SQL. A refused one has cost no SQL at all,
 * but for a well-formed key that is not remembered: one indexed query. Of addresses that have spent their budget of failed authentications
 * at most 40 such keys a second are looked up, apart from those that were found within the last hour; the others are refused with a 429.
 * Nothing here blocks the event loop.
 *
 * <p>A key is judged by a copy that is at least as new as the version that Redis knows. If PostgreSQL knows only an older one, it has gone
 * back, and what it holds counts: the key is given a newer version, and a warning is logged. Copies from before Redis came back are
 * compared with PostgreSQL before anybody is admitted by them, unless it does not answer.
 *
 * <p>Where PostgreSQL does not answer, remembered keys stay valid for their cache time and others get 503: nobody is let in unchecked, and
 * nobody is told that a key is invalid that is not.
 */
package dev.animalstore.gate;
