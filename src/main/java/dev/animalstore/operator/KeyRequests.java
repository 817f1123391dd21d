package dev.animalstore.operator;

import dev.animalstore.metering.key.Plan;
import dev.animalstore.web.input.Text;
import jakarta.validation.constraints.Future;
import jakarta.validation.constraints.NotNull;
import java.time.Instant;
import java.util.Optional;
import org.hibernate.validator.constraints.Range;

/** What operators send. Unknown members of a body are refused, since a misspelt one would otherwise be ignored silently. */
public final class KeyRequests {
    private KeyRequests() {}

    /** The body of an issue. The key never expires if {@code expiresAt} is absent or null. */
    public record NewKey(
            @NotNull @Text(max = 255) String owner,
            @NotNull @Text(max = 50) String plan,
            Plan.Limits limits,
            Optional<@Future Instant> expiresAt) {}

    /** The body of a change. The key never expires if {@code expiresAt} is null; absent members leave their value unchanged. */
    public record Change(
            @Text(max = 255) String owner,
            @Text(max = 50) String plan,
            Plan.Limits limits,
            Optional<@Future Instant> expiresAt,
            Boolean suspended) {}

    /** The body of a look-up by the text of a key. */
    public record Lookup(@NotNull String key) {
        /** Without the text, which must not be logged. */
        @Override
        public String toString() {
            return "Lookup[…]";
        }
    }

    /** The body of a rotation: how long the existing secrets still work, at most 30 days. */
    public record Rotation(
            @NotNull @Range(min = 0, max = 30 * 24 * 60 * 60)
            Integer graceSeconds) {}
}
