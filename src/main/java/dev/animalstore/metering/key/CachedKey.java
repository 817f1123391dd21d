package dev.animalstore.metering.key;

import dev.animalstore.metering.quota.Subject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/**
 * The data of a key that admission needs, as read from the database: a replica holds hundreds of thousands. Times are microseconds since 1970
 * unless their name says otherwise. It contains no secret.
 *
 * @param subject whom requests are charged to, until the key or the secret that was sent ends
 * @param ending why it ends then, as the log has it: {@code revoked}, {@code suspended}, {@code rotated} or {@code expired}
 * @param keyExpires when the key expires; {@link #NEVER}
 * @param secretRotated when a newer secret replaced the one that was sent; {@link #NEVER} if it is the current one
 * @param secretExpires when the secret that was sent expires because of its rotation; {@link #NEVER} if it is the current one
 */
public record CachedKey(
        Subject subject, String plan, String ending, long keyExpires, long secretRotated, long secretExpires) {

    /** The time of what does not happen. */
    public static final long NEVER = Long.MAX_VALUE;

    /** A time in microseconds since 1970, or the nearest that there is; {@link #NEVER} for {@code null}. */
    static long micros(Instant time) {
        return time == null ? NEVER : TimeUnit.MICROSECONDS.convert(Duration.between(Instant.EPOCH, time));
    }

    /** A time in microseconds since 1970; {@code null} for {@link #NEVER}. */
    public static Instant instant(long micros) {
        return micros == NEVER ? null : Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    public long id() {
        return subject.id().number();
    }

    public boolean isSecretRotated() {
        return secretRotated != NEVER;
    }
}
