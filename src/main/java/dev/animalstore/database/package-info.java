/**
 * Handles an unavailable PostgreSQL. Hibernate reads and writes the entities; this package intercepts each of its statements.
 *
 * <p>While PostgreSQL is known to be unavailable no statement waits for it: a circuit breaker opens after some failures in a row, and a
 * probe closes it. PostgreSQL ends a statement before its caller gives up waiting, so it does not run later; only a commit may, if its
 * response is lost.
 */
package dev.animalstore.database;
