package dev.animalstore.quota;

/**
 * Identifies a subject.
 *
 * @param number positive; after a loss of data another subject may have it
 * @param created when the subject came into being, which tells it from others that had the number before
 */
public record SubjectId(long number, long created) {}
