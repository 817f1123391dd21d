package dev.animalstore.key;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;
import java.util.List;

/**
 * The stored data of a key, as an operator may see it.
 *
 * @param limits those of the plan, or the key's own if the plan has none
 * @param version raised by every change; the console changes only the version that it showed
 * @param expiresAt {@code null} if never
 * @param revokedAt {@code null} if never
 * @param lastUsedAt when its last request was admitted, accurate to a minute; {@code null} if none was
 * @param secrets the newest first
 * @param issued its newest secret when it has just been issued, which is shown only once; otherwise {@code null}
 */
public record KeyDetails(
        long id,
        String owner,
        String plan,
        KeyLimits limits,
        @JsonIgnore long version,
        Instant createdAt,
        Instant expiresAt,
        Instant revokedAt,
        Instant lastUsedAt,
        List<SecretDetails> secrets,
        @JsonIgnore BearerKey issued) {

    /** Tells the key from others that had its identifier before, in a database that was restored since. */
    public long origin() {
        return ApiKey.micros(createdAt);
    }

    /** A secret: its last four characters, which alone are stored, and the end of its grace period, {@code null} for the current one. */
    public record SecretDetails(String hint, Instant createdAt, Instant expiresAt) {}
}
