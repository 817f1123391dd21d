/**
 * What is remembered of a server that fails: a circuit breaker, used for Redis and for PostgreSQL, so that not every request has to wait
 * for a server that is known to fail. The owner of a breaker probes the server and decides what happens meanwhile.
 *
 * <p>PostgreSQL's is here too, and intercepts each of Hibernate's statements. PostgreSQL ends a statement before its caller gives up
 * waiting, so it does not run later; only a commit may, if its response is lost.
 */
package dev.animalstore.outage;
