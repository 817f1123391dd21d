package dev.animalstore.key;

/** Whether a key can be used. A ban is no state of the key, since it ends without anybody's doing. */
public enum KeyState {
    /** It can be used. */
    ACTIVE,
    /** It has ended by itself. */
    EXPIRED,
    /** It was revoked, whether it would have expired or not. */
    REVOKED
}
