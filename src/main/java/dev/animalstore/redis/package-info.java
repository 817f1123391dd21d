/**
 * Redis, which all replicas share: one connection, a deadline for each command, and what is known of a Redis that fails.
 *
 * <p>A caller learns within the deadline that Redis does not answer, and at once while it is known to fail; what happens then is the caller's
 * business. Nothing here knows what the commands are about.
 */
package dev.animalstore.redis;
