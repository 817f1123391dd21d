/**
 * The catalogue: pets are listed, added and, by a deprecated operation, fetched one by one.
 *
 * <p>Pages are served from memory while the catalogue's version in Redis shows that no addition was acknowledged since.
 *
 * <p>Requests that reach this package were admitted; it knows nothing of keys and quotas. Every statement uses an index: the primary key,
 * or that of a status. If the database is needed and unavailable, the response is 503, never a partial list.
 */
package dev.animalstore.store.pet;
