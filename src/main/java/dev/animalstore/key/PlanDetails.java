package dev.animalstore.key;

import java.util.Optional;

/**
 * A plan, as shown to operators.
 *
 * @param name the plan's name
 * @param limits the limits of its keys; empty if each key has its own
 */
public record PlanDetails(String name, Optional<KeyLimits> limits) {}
