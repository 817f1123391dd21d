package dev.animalstore.usage;

import java.time.LocalDate;

/**
 * How many requests of a key had which outcome on one UTC day.
 *
 * @param refused those that got {@code rate_limit_exceeded}
 * @param banned those that got {@code key_banned}
 */
public record DayUsage(LocalDate day, long admitted, long refused, long banned) {}
