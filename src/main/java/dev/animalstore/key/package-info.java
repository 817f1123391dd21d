/**
 * API keys: their text, the plans they are bound to, and the directory that finds a key by what a client sent.
 *
 * <p>A key is an identity with an owner, a plan and a version; it is known by one or more secrets, of which only SHA-256 is stored. The
 * directory keeps what it found for a bounded time, in a bounded number, and tells <em>unknown</em> (an empty result, remembered shortly)
 * from <em>cannot know</em> (a failure, since PostgreSQL does not answer). Nothing here counts requests.
 *
 * <p>A change raises the version and records it, in one transaction, as one that the replicas are to be told of. The record is gone once
 * they have been. Versions are unique: one that a PostgreSQL which went back has lost is not given again.
 */
package dev.animalstore.key;
