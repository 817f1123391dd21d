package dev.animalstore.key;

/** Whether a key can be used. A ban is not a state, since it ends automatically. */
public enum KeyState {
    /** The key can be used. */
    ACTIVE,
    /** The key has reached its expiry. */
    EXPIRED,
    /** The key was revoked, whether it would have expired or not. */
    REVOKED
}
