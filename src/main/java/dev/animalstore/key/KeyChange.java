package dev.animalstore.key;

import java.time.Instant;
import java.util.Optional;

/**
 * A change of a key. Empty members leave their value unchanged.
 *
 * @param owner the new owner
 * @param plan the name of the new plan
 * @param limits the new limits, for a plan that has none of its own
 * @param expiry the new expiry
 */
public record KeyChange(
        Optional<String> owner, Optional<String> plan, Optional<KeyLimits> limits, Optional<Expiry> expiry) {

    /**
     * The expiry of a key.
     *
     * @param at when it expires; {@code null} if never
     */
    public record Expiry(Instant at) {}
}
