package dev.animalstore.console;

import dev.animalstore.admin.ManagedKey;
import java.time.Instant;

/**
 * A key as a page shows it.
 *
 * @param key what the operations say of it
 * @param now when that was
 */
record KeyView(ManagedKey key, Instant now) {
    /** What it is at present, in one word; also the name of its style. Without Redis it is not known whether other replicas refuse it. */
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

    /** Whether ban and quota are those of all replicas. */
    public boolean shared() {
        return key.shared();
    }

    /** Whether it can be changed and revoked. */
    public boolean changeable() {
        return key.revokedAt() == null;
    }

    /** Whether it can be given a new secret. */
    public boolean rotatable() {
        return changeable() && !state().equals("expired");
    }

    /** The present minute. */
    public Bar minute() {
        return Bar.of(key.usage().minute());
    }

    /** The present day. */
    public Bar day() {
        return Bar.of(key.usage().day());
    }

    /** Where its page is. */
    public String path() {
        return ConsolePages.KEYS + "/" + key.id();
    }
}
