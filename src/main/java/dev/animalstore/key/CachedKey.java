package dev.animalstore.key;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;

/**
 * What admission needs to know of a key, as it was when it was read from the database. It holds no secret.
 *
 * @param id identifies the key in Redis, logs and metrics
 * @param plan the plan's name
 * @param perMinute requests that the key may send a minute, at least 1
 * @param perDay requests that the key may send a day, at least 1
 * @param version the version of the key that this is a copy of
 * @param expiresAt when the key ends; {@code null} if never
 * @param revokedAt when the key was revoked; {@code null} if it was not
 * @param secretRotatedAt when a newer secret took the place of the one that was sent; {@code null} if it is the current one
 * @param secretExpiresAt when the secret that was sent ends, because it has been rotated; {@code null} if it is the current one
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

    /** Whether the key, by the secret that was sent, may be used at that time. */
    public boolean usableAt(Instant time) {
        return revokedAt == null && isBefore(time, expiresAt) && isBefore(time, secretExpiresAt);
    }

    /** Whether a change of the key, which this copy may not know of, can have made it usable at that time. */
    public boolean mayBeUsableAt(Instant time) {
        return revokedAt == null && isBefore(time, secretExpiresAt);
    }

    private static boolean isBefore(Instant time, Instant end) {
        return end == null || time.isBefore(end);
    }
}
