/**
 * API keys: their secrets, their plans, and the copies by which a replica finds a key by its secret.
 *
 * <p>A key is an identity with an owner, a plan and a version. It has one or more secrets, of which only SHA-256 is stored. The cache is
 * bounded in number, and distinguishes <em>unknown</em> (a copy without a key, kept shortly) from <em>cannot know</em> (a failure, since
 * PostgreSQL is unavailable). Look-ups share queries, so no number of requests loads the database. Nothing here counts requests.
 *
 * <p>Triggers raise the version at each change, and record it. Versions are times of PostgreSQL, so one that it has lost is not issued again, and a
 * new key has a later version than any earlier key with its number had. {@link dev.animalstore.metering.key.KeyLook} forgets the copies of what has changed;
 * they then decide nothing, and are read again when their key is used. Which copy decides is one rule, in {@code Admission}.
 */
package dev.animalstore.metering.key;
