/**
 * The way to PostgreSQL: one statement of plain JDBC at a time. Every table is small and known to one class, so that its statements, which
 * every request pays for, are written and read as they are; an object-relational mapper was measured to take half of the start and a third
 * of the memory for it.
 *
 * <p>While PostgreSQL is known to be away no statement waits for it: a circuit breaker opens after some failures in a row and is closed by a
 * probe. PostgreSQL ends a statement before its caller gives up waiting, so the statement is not done later; only a commit may be, if its
 * response is lost.
 */
package dev.animalstore.database;
