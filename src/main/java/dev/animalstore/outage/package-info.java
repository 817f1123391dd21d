/**
 * What is remembered of a server that fails, so that not every request finds it out for itself: a circuit breaker, used for Redis and for
 * PostgreSQL. Whoever owns the breaker probes the server and says what happens meanwhile.
 *
 * <p>It is a few lines of our own since a breaker that lets a request try, as MicroProfile Fault Tolerance's does, makes one client after
 * the other wait for a server that hangs, and takes any request that happens to succeed for the server's return.
 */
package dev.animalstore.outage;
