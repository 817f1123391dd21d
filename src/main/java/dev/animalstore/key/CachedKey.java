package dev.animalstore.key;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;

/**
 * The data of a key that admission needs, as read from the database. It contains no secret.
 *
 * @param id identifies the key in Redis, logs and metrics
 * @param plan the plan's name
 * @param perMinute requests that the key may send per minute, at least 1
 * @param perDay requests that the key may send per day, at least 1
 * @param version the version of the key that this is a copy of
 * @param expiresAt when the key expires; {@code null} if never
 * @param revokedAt when the key was revoked; {@code null} if it was not
 * @param secretRotatedAt when a newer secret replaced the one that was sent; {@code null} if it is the current one
 * @param secretExpiresAt when the secret that was sent expires because of its rotation; {@code null} if it is the current one
 */
@RegisterForReflection
public record CachedKey(
        long id,
        String plan,
        int perMinute,
        int perDay,
        long version,
        Instant expiresAt,
        Instant revokedAt,
        Instant secretRotatedAt,
        Instant secretExpiresAt) {

    /** Whether the key and the secret that was sent are usable at that time. */
    public boolean usableAt(Instant time) {
        return revokedAt == null && isBefore(time, expiresAt) && isBefore(time, secretExpiresAt);
    }

    /** Whether a change that this copy does not have could make the key usable at that time. */
    public boolean mayBeUsableAt(Instant time) {
        return revokedAt == null && isBefore(time, secretExpiresAt);
    }

    private static boolean isBefore(Instant time, Instant end) {
        return end == null || time.isBefore(end);
    }
}
