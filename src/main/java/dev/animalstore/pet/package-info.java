/**
 * The catalogue: pets are listed, added and, by an operation that is on its way out, fetched one by one.
 *
 * <p>Pages are kept in memory, for as long as the catalogue's version in Redis says that no addition was acknowledged since.
 *
 * <p>Whoever gets here has been admitted; this package knows nothing of keys and quotas. Every statement is served by an index: the
 * primary key, or that of a status. Where the database cannot be reached the answer is a 503, never a part of a list.
 */
package dev.animalstore.pet;
