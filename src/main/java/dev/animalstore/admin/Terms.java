package dev.animalstore.admin;

import java.util.OptionalLong;

/**
 * On what terms a key is changed.
 *
 * @param seen the version of the key that the operator has seen, if the change is to be made to no other
 * @param alongside done in the transaction of the change, after it; if it fails nothing is changed
 */
public record Terms(OptionalLong seen, Runnable alongside) {
    /** Whatever version the key has, and with nothing else to do. */
    static final Terms NONE = new Terms(OptionalLong.empty(), () -> {});
}
