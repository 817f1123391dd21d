package dev.animalstore.admin;

import java.util.OptionalLong;

/**
 * The conditions of a change of a key.
 *
 * @param seen the version of the key that the operator has seen, if the change applies to that version only
 * @param alongside runs after the change, in its transaction; if it fails, nothing is changed
 */
public record Terms(OptionalLong seen, Runnable alongside) {
    /** Any version, and no further action. */
    static final Terms NONE = new Terms(OptionalLong.empty(), () -> {});
}
