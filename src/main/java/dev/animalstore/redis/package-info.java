/**
 * Redis, which all replicas share: one connection to a server, by way of Sentinel or to a cluster, a timeout for each command, and a circuit
 * breaker.
 *
 * <p>A caller learns within the timeout that Redis does not respond, and at once while it is known to be unavailable; the caller decides
 * what happens then. Whether Redis is available is told by a probe that the user of the client hands in, so it is the command that matters
 * which decides. Nothing here knows what the commands are about.
 *
 * <p><b>Known limits.</b> A client of a cluster connects to all nodes. While one hangs, and until the cluster has marked it as failed, a
 * lost connection cannot be replaced, and the circuit breaker is open for all keys.
 */
package dev.animalstore.redis;
