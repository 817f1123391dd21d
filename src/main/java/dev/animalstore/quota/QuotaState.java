package dev.animalstore.quota;

/**
 * The current quota and ban of a subject.
 *
 * @param decision the decision for a request sent now
 * @param shared whether Redis made the decision, for all replicas; otherwise this replica made it locally, because Redis is unavailable
 */
public record QuotaState(Decision decision, boolean shared) {}
