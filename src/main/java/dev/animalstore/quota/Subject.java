package dev.animalstore.quota;

/**
 * Whom requests are charged to, as the caller knows it, which may be outdated.
 *
 * @param version the version of the caller's copy
 */
public record Subject(SubjectId id, long version, Limits limits) {}
