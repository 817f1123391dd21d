package dev.animalstore.usage;

import java.time.LocalDate;

/**
 * The requests of a key on one UTC day, by outcome.
 *
 * @param refused those that got {@code rate_limit_exceeded}
 * @param banned those that got {@code key_banned}
 */
public record DayUsage(LocalDate day, long admitted, long refused, long banned) {}
