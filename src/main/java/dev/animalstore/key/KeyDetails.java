package dev.animalstore.key;

import java.time.Instant;
import java.util.List;

/**
 * All that is stored of a key, as an operator may see it.
 *
 * @param id identifies the key for good
 * @param owner whom it was issued to
 * @param plan the plan's name
 * @param limits the plan's limits, or the key's own where the plan has none
 * @param version raised by every change
 * @param createdAt when it was issued
 * @param expiresAt when it ends; {@code null} if never
 * @param revokedAt when it was revoked; {@code null} if it was not
 * @param lastUsedAt when a request was last admitted with it, true to a minute; {@code null} if none was
 * @param secrets what it is known by, the newest first
 */
public record KeyDetails(
        long id,
        String owner,
        String plan,
        KeyLimits limits,
        long version,
        Instant createdAt,
        Instant expiresAt,
        Instant revokedAt,
        Instant lastUsedAt,
        List<SecretDetails> secrets) {

    /** The same key, known by those secrets. */
    KeyDetails withSecrets(List<SecretDetails> known) {
        return new KeyDetails(id, owner, plan, limits, version, createdAt, expiresAt, revokedAt, lastUsedAt, known);
    }

    /**
     * A secret, of which only its last four characters are known.
     *
     * @param hint those characters
     * @param createdAt when it was issued
     * @param expiresAt the end of its grace period; {@code null} for the current secret
     */
    public record SecretDetails(String hint, Instant createdAt, Instant expiresAt) {}
}
