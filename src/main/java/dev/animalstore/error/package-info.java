/**
 * What a client is told when a request fails: one body, one closed list of codes, and the mappers that turn every exception into them;
 * and which methods a path takes.
 *
 * <p>Promises: every error under {@code /v1} and {@code /admin} is {@code application/json} with exactly {@code code}, {@code message}
 * and {@code status}, and none of them shows a class name, an SQL state, a stack trace or a key. What a person who operates the service
 * needs to know goes to the log, found there by the reference that a 500 carries.
 *
 * <p>Out of reach is what the HTTP server itself refuses before there is a request to speak of, as a request line whose target is no URI:
 * an empty 400.
 */
package dev.animalstore.error;
