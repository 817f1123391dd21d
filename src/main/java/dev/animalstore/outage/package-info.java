/**
 * A circuit breaker, used for Redis and for PostgreSQL, so that not every request has to wait for a server that is known to fail. The owner
 * of the breaker probes the server and decides what happens meanwhile.
 *
 * <p>It is a few lines of our own, because a half-open breaker, such as that of MicroProfile Fault Tolerance, lets a request try: one
 * client after the other waits for a server that hangs, and any request that happens to succeed counts as recovery.
 */
package dev.animalstore.outage;
