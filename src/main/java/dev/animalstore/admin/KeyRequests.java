package dev.animalstore.admin;

import dev.animalstore.key.KeyChange;
import dev.animalstore.key.KeyChange.Expiry;
import dev.animalstore.key.KeyLimits;
import dev.animalstore.request.JsonBody;
import dev.animalstore.request.Text;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Future;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.hibernate.validator.constraints.Range;

/** The request bodies of operators. Unknown members are refused, since a misspelt one would otherwise be ignored silently. */
public final class KeyRequests {
    private KeyRequests() {}

    /** The body of an issue. The key never expires if {@code expiresAt} is absent or null. */
    public record NewKey(
            @NotNull @Text(max = 255) String owner,
            @NotNull @Text(max = 50) String plan,
            @Valid Limits limits,
            Optional<@Future Instant> expiresAt)
            implements JsonBody {

        Optional<KeyLimits> agreedLimits() {
            return Limits.agreed(limits);
        }

        Instant expiry() {
            return expiresAt == null ? null : expiresAt.orElse(null);
        }
    }

    /** The body of a change. The key never expires if {@code expiresAt} is null; absent members leave their value unchanged. */
    public record Change(
            @Text(max = 255) String owner,
            @Text(max = 50) String plan,
            @Valid Limits limits,
            Optional<@Future Instant> expiresAt)
            implements JsonBody {

        KeyChange keyChange() {
            return new KeyChange(
                    Optional.ofNullable(owner),
                    Optional.ofNullable(plan),
                    Limits.agreed(limits),
                    Optional.ofNullable(expiresAt).map(at -> new Expiry(at.orElse(null))));
        }
    }

    /** The limits of a key, in requests. */
    public record Limits(
            @NotNull @Range(min = 1, max = Integer.MAX_VALUE)
            Integer perMinute,

            @NotNull @Range(min = 1, max = Integer.MAX_VALUE)
            Integer perDay) {

        private static Optional<KeyLimits> agreed(Limits limits) {
            return Optional.ofNullable(limits).map(given -> new KeyLimits(given.perMinute, given.perDay));
        }
    }

    /** The body of a rotation: how long the existing secrets still work, at most 30 days. */
    public record Rotation(
            @NotNull @Range(min = 0, max = 30 * 24 * 60 * 60)
            Integer graceSeconds) implements JsonBody {
        Duration grace() {
            return Duration.ofSeconds(graceSeconds);
        }
    }
}
