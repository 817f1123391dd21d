package dev.animalstore.quota;

/**
 * Whom requests are charged to, as the caller knows it, which may be outdated.
 *
 * @param id identifies the subject, positive
 * @param version the version of the caller's copy
 * @param origin when the subject came into being: tells it from others that had the identifier before
 */
public record Subject(long id, long version, long origin, Limits limits) {}
