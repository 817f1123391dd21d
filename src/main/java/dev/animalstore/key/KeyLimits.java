package dev.animalstore.key;

/**
 * The limits of a key, in requests.
 *
 * @param perMinute at least 1
 * @param perDay at least 1
 */
public record KeyLimits(int perMinute, int perDay) {}
