package dev.animalstore.metering.quota;

/** Identifies a subject, by a positive number and the time of its creation, since after a loss of data another may have the number. */
public record SubjectId(long number, long created) {}
