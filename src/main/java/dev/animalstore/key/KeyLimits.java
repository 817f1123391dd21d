package dev.animalstore.key;

/**
 * How many requests a key may send.
 *
 * @param perMinute at least 1
 * @param perDay at least 1
 */
public record KeyLimits(int perMinute, int perDay) {}
