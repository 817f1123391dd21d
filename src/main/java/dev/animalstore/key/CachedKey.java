package dev.animalstore.key;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The data of a key that admission needs, as read from the database. It contains no secret.
 *
 * @param perMinute at least 1, like {@code perDay}
 * @param expiresAt {@code null} if never
 * @param revokedAt {@code null} if never
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
        Instant createdAt,
        Instant expiresAt,
        Instant revokedAt,
        Instant secretRotatedAt,
        Instant secretExpiresAt) {

    /** As {@link ApiKey#created}. */
    public long created() {
        return micros(createdAt);
    }

    /** A time in microseconds since 1970. */
    static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

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
