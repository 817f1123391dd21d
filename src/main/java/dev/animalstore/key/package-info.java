/**
 * API keys: their secrets, their plans, and the cache that finds a key by its secret.
 *
 * <p>A key is an identity with an owner, a plan and a version. It has one or more secrets, of which only SHA-256 is stored. The cache is
 * bounded in time and size, and distinguishes <em>unknown</em> (an empty result, cached shortly) from <em>cannot know</em> (a failure,
 * since PostgreSQL is unavailable). Nothing here counts requests.
 *
 * <p>A change raises the version and records it as unpublished, in one transaction. The record is deleted once Redis knows the version.
 * Versions are unique: one that PostgreSQL has lost is not issued again.
 */
package dev.animalstore.key;
