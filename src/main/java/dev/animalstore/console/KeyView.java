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
    /** Its current state, in one word; also the name of its style. */
    public String state() {
        if (key.revokedAt() != null) {
            return "revoked";
        }
        if (key.expiresAt() != null && !now.isBefore(key.expiresAt())) {
            return "expired";
        }
        return key.ban() == null ? "active" : "banned";
    }

    /** Whether it can be changed and revoked. */
    public boolean changeable() {
        return key.revokedAt() == null;
    }

    /** Whether it can be given a new secret. */
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
