package dev.animalstore.quota;

/**
 * How the quota of a subject stands.
 *
 * @param decision what would become of a request now
 * @param shared whether Redis said so, for all replicas; otherwise this replica alone did, because Redis is unavailable
 */
public record QuotaState(Decision decision, boolean shared) {}
