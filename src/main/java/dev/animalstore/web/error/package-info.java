/**
 * Error responses: one body, its codes, and the exception that carries one. {@code web.http} makes them of every other exception.
 *
 * <p>Promises: every error under {@code /v1} and {@code /admin} is {@code application/json} with exactly {@code code}, {@code message} and
 * {@code status}, and none shows a class name, an SQL state, a stack trace or a key. Details for operators are in the log, where the
 * reference of a 500 finds them.
 *
 * <p>Exception: the response of the HTTP server to a request that it rejects itself, such as one with a head that is too long, has no body.
 */
package dev.animalstore.web.error;
