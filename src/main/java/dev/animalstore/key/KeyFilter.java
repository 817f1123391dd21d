package dev.animalstore.key;

import java.util.Optional;

/**
 * The filter of a list of keys. A key must match every condition.
 *
 * @param owner the exact owner
 * @param ownerPrefix the beginning of the owner, ignoring case
 * @param plan the plan's name
 * @param state whether the key can be used
 */
public record KeyFilter(
        Optional<String> owner, Optional<String> ownerPrefix, Optional<String> plan, Optional<KeyState> state) {

    /** The keys of one owner, or all keys if it is empty. */
    public static KeyFilter ofOwner(Optional<String> owner) {
        return new KeyFilter(owner, Optional.empty(), Optional.empty(), Optional.empty());
    }
}
