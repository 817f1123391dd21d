/**
 * Redis, which all replicas share: for each server one connection, a timeout for each command, and a circuit breaker.
 *
 * <p>A caller learns within the timeout that Redis does not respond, and at once while it is known to be unavailable; the caller decides
 * what happens then. Nothing here knows what the commands are about.
 */
package dev.animalstore.redis;
