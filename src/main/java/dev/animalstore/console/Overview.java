package dev.animalstore.console;

/**
 * How things stand with all keys.
 *
 * @param shared whether quotas are shared in Redis; otherwise each replica meters alone
 */
record Overview(boolean shared) {}
