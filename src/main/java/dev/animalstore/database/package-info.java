/**
 * What is remembered of a PostgreSQL that fails. Entities are read and written by Hibernate; this package stands where each of its statements
 * passes.
 *
 * <p>While PostgreSQL is known to be unavailable no statement waits for it: a circuit breaker opens after some failures in a row and is closed
 * by a probe. PostgreSQL ends a statement before its caller gives up waiting, so the statement is not done later; only a commit may be, if its
 * response is lost.
 */
package dev.animalstore.database;
