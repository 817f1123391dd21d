package dev.animalstore.key;

import java.util.Optional;

/**
 * Which keys are listed: those that match all that is given.
 *
 * @param owner the whole owner, to the letter
 * @param ownerPrefix what the owner begins with, in capital letters or small ones
 * @param plan the plan's name
 * @param state whether the key can be used
 */
public record KeyFilter(
        Optional<String> owner, Optional<String> ownerPrefix, Optional<String> plan, Optional<KeyState> state) {

    /** The keys of one owner, or of all if that is empty. */
    public static KeyFilter ofOwner(Optional<String> owner) {
        return new KeyFilter(owner, Optional.empty(), Optional.empty(), Optional.empty());
    }
}
