package dev.animalstore.key;

import java.time.Instant;
import java.util.Optional;

/**
 * What is to become different about a key. What is empty stays as it is.
 *
 * @param owner the new owner
 * @param plan the name of the new plan
 * @param limits new limits, for a plan that has none of its own
 * @param expiry the new end
 */
public record KeyChange(
        Optional<String> owner, Optional<String> plan, Optional<KeyLimits> limits, Optional<Expiry> expiry) {

    /**
     * The end of a key.
     *
     * @param at when it ends; {@code null} if never
     */
    public record Expiry(Instant at) {}
}
