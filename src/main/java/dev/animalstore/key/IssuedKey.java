package dev.animalstore.key;

/**
 * A key with its newest secret, which is shown only once.
 *
 * @param details the stored data
 * @param secret the secret that its owner sends
 */
public record IssuedKey(KeyDetails details, BearerKey secret) {}
