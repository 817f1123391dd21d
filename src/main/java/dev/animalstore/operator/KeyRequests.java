package dev.animalstore.operator;

import static dev.animalstore.operator.KeyDirectory.transaction;

import dev.animalstore.metering.key.Plan;
import dev.animalstore.web.input.Checked;
import dev.animalstore.web.input.Text;
import jakarta.validation.constraints.Future;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.text.Normalizer;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hibernate.validator.constraints.Range;

/** What operators send. Unknown members of a body are refused, since a misspelt one would otherwise be ignored silently. */
public final class KeyRequests {
    private KeyRequests() {}

    /** What no reader sees, or what changes the order in which a name is read: Unicode's ignorable and format characters, and separators of lines. */
    private static final String INVISIBLE =
            "\\p{Cf}\\p{Zl}\\p{Zp}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0\\x{1d173}-\\x{1d17a}\\x{e0000}-\\x{e0fff}";

    private static final String VISIBLE = "[^" + INVISIBLE + "]*";
    private static final String VISIBLE_RULE = "must not contain invisible or bidirectional characters";

    static String normal(String owner) {
        return owner == null ? null : Normalizer.normalize(owner, Normalizer.Form.NFC);
    }

    /** The body of an issue. The key never expires if {@code expiresAt} is absent or null. */
    public record NewKey(
            @NotNull @Text(max = 255) @Pattern(regexp = VISIBLE, message = VISIBLE_RULE)
            String owner,

            @NotNull @Text(max = 50) String plan,
            Plan.Limits limits,
            Optional<@Future Instant> expiresAt)
            implements Checked {

        public NewKey {
            owner = normal(owner);
        }

        @Override
        public Map<String, String> reasons(Set<String> sent) {
            return plan == null ? Map.of() : transaction(() -> Plan.reasons(plan, sent.contains("limits")));
        }
    }

    /** The body of a change. The key never expires if {@code expiresAt} is null; absent members leave their value unchanged. */
    public record Change(
            @Text(max = 255) @Pattern(regexp = VISIBLE, message = VISIBLE_RULE)
            String owner,

            @Text(max = 50) String plan,
            Plan.Limits limits,
            Optional<@Future Instant> expiresAt,
            Boolean suspended)
            implements Checked {

        public Change {
            owner = normal(owner);
        }

        /** Whether limits are missing depends on the key, which may have some. */
        @Override
        public Map<String, String> reasons(Set<String> sent) {
            Map<String, String> reasons = new HashMap<>(
                    plan == null ? Map.of() : transaction(() -> Plan.reasons(plan, sent.contains("limits"))));
            if (!sent.contains("limits")) {
                reasons.remove("limits");
            }
            return reasons;
        }
    }

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
