/**
 * Error responses: one body, one closed list of codes, the mappers that produce them from every exception, and the methods that a path
 * supports.
 *
 * <p>Promises: every error under {@code /v1} and {@code /admin} is {@code application/json} with exactly {@code code}, {@code message} and
 * {@code status}, and none shows a class name, an SQL state, a stack trace or a key. Details for operators are in the log, where the
 * reference of a 500 finds them.
 *
 * <p>Exception: a request that the HTTP server itself rejects, such as one whose target is not a URI, gets an empty 400.
 */
package dev.animalstore.web.error;
