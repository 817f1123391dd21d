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

/** What operators send. Unknown members are refused, since a misspelt one would otherwise change nothing in silence. */
public final class KeyRequests {
    private KeyRequests() {}

    /** A key that is to be issued. It never expires if the expiry is absent or empty. */
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

    /** What is to become different about a key. It never expires if the expiry is empty; what is absent stays as it is. */
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

    /** How many requests a key may send. */
    public record Limits(
            @NotNull @Range(min = 1, max = Integer.MAX_VALUE)
            Integer perMinute,

            @NotNull @Range(min = 1, max = Integer.MAX_VALUE)
            Integer perDay) {

        private static Optional<KeyLimits> agreed(Limits limits) {
            return Optional.ofNullable(limits).map(given -> new KeyLimits(given.perMinute, given.perDay));
        }
    }

    /** How long the present secrets of a key continue to work, at most 30 days. */
    public record Rotation(
            @NotNull @Range(min = 0, max = 30 * 24 * 60 * 60)
            Integer graceSeconds) implements JsonBody {
        Duration grace() {
            return Duration.ofSeconds(graceSeconds);
        }
    }
}
