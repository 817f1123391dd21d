/**
 * API keys: their secrets, their plans, and the copies by which a replica finds a key by its secret.
 *
 * <p>A key is an identity with an owner, a plan and a version. It has one or more secrets, of which only SHA-256 is stored. The cache is
 * bounded in number, and distinguishes <em>unknown</em> (a copy without a key, kept shortly) from <em>cannot know</em> (a failure, since
 * PostgreSQL is unavailable). Look-ups share queries, so no number of requests loads the database. Nothing here counts requests.
 *
 * <p>A change raises the version. Versions are times, so one that PostgreSQL has lost is not issued again, and a new key has a later version
 * than any earlier key with its number had.
 */
package dev.animalstore.key;
