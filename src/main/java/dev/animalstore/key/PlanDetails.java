package dev.animalstore.key;

import java.util.Optional;

/**
 * A plan, as an operator chooses it.
 *
 * @param name identifies it
 * @param limits how many requests its keys may send; empty if each key has limits of its own
 */
public record PlanDetails(String name, Optional<KeyLimits> limits) {}
