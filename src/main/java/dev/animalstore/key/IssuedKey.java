package dev.animalstore.key;

/**
 * A key together with the text of its newest secret, which exists nowhere else and cannot be had again.
 *
 * @param details what is stored
 * @param secret what its owner has to send
 */
public record IssuedKey(KeyDetails details, BearerKey secret) {}
