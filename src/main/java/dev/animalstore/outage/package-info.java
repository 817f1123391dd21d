/**
 * What keeps a server that fails or hangs from holding up everything. A circuit breaker, used for Redis and for PostgreSQL, remembers that a
 * server fails, so that not every request waits for it; its owner probes the server and decides what happens meanwhile. PostgreSQL's are here
 * too, one for each datasource. A bulkhead bounds how much of one kind of work runs and waits.
 *
 * <p>The bulkhead asks the breaker. A rejection by either is a {@link java.util.concurrent.RejectedExecutionException}, which counts as an outage: 503. PostgreSQL ends a statement
 * before its caller gives up waiting, so it does not run later; only a commit may, if its response is lost.
 */
package dev.animalstore.outage;
