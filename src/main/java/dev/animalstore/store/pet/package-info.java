/**
 * The catalogue: pets are listed, added and, by a deprecated operation, fetched one by one.
 *
 * <p>Their list is exact, and its pages are served from memory ({@code web.list}).
 *
 * <p>Requests that reach this package were admitted; it knows nothing of keys and quotas. Every statement uses an index: the primary key,
 * or that of a status. If the database is needed and unavailable, the response is 503, never a partial list.
 */
package dev.animalstore.store.pet;
