package dev.animalstore.console;

import dev.animalstore.admin.ManagedKey;
import java.time.Instant;

/**
 * A key as a page shows it.
 *
 * @param key the key
 * @param now the current time
 */
record KeyView(ManagedKey key, Instant now) {
    /** Its current state, in one word; also the name of its style. While Redis is unavailable, a key that is not known to be banned is unknown. */
    public String state() {
        if (key.revokedAt() != null) {
            return "revoked";
        }
        if (key.expiresAt() != null && !now.isBefore(key.expiresAt())) {
            return "expired";
        }
        if (key.ban() != null) {
            return "banned";
        }
        return key.shared() ? "active" : "unknown";
    }

    /** Whether ban and quota are those of all replicas, rather than local ones of this replica. */
    public boolean shared() {
        return key.shared();
    }

    /** Whether it can be changed and revoked. */
    public boolean changeable() {
        return key.revokedAt() == null;
    }

    /** Whether its secret can be rotated. */
    public boolean rotatable() {
        return changeable() && !state().equals("expired");
    }

    /** The current minute. */
    public Bar minute() {
        return Bar.of(key.usage().minute());
    }

    /** The current day. */
    public Bar day() {
        return Bar.of(key.usage().day());
    }

    /** The path of its page. */
    public String path() {
        return ConsolePages.KEYS + "/" + key.id();
    }
}
