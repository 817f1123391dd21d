package dev.animalstore.key;

import java.time.Instant;
import java.util.List;

/**
 * The stored data of a key, as an operator may see it.
 *
 * @param id the permanent identifier of the key
 * @param owner who it was issued to
 * @param plan the plan's name
 * @param limits the plan's limits, or the key's own if the plan has none
 * @param version raised by every change
 * @param createdAt when it was issued
 * @param expiresAt when it expires; {@code null} if never
 * @param revokedAt when it was revoked; {@code null} if it was not
 * @param lastUsedAt when its last request was admitted, accurate to a minute; {@code null} if none was
 * @param secrets its secrets, the newest first
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

    /** The same key with other secrets. */
    KeyDetails withSecrets(List<SecretDetails> known) {
        return new KeyDetails(id, owner, plan, limits, version, createdAt, expiresAt, revokedAt, lastUsedAt, known);
    }

    /**
     * A secret, of which only the last four characters are stored.
     *
     * @param hint those characters
     * @param createdAt when it was issued
     * @param expiresAt the end of its grace period; {@code null} for the current secret
     */
    public record SecretDetails(String hint, Instant createdAt, Instant expiresAt) {}
}
