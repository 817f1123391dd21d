package dev.animalstore.operator.console;

import dev.animalstore.metering.quota.QuotaView;
import dev.animalstore.operator.KeySearch;
import dev.animalstore.operator.ManagedKey;
import java.time.Instant;
import java.util.List;

/** A key as a page shows it at a time. */
record KeyView(ManagedKey key, Instant now) {
    static List<KeyView> list(List<ManagedKey> keys, Instant now) {
        return keys.stream().map(key -> new KeyView(key, now)).toList();
    }

    /** Its state in one word, which names its style too. While Redis is unavailable, a key that is not known to be banned is unknown. */
    public String state() {
        if (!changeable()) {
            return "revoked";
        }
        if (key.expiresAt() != null && !now.isBefore(key.expiresAt())) {
            return "expired";
        }
        if (key.suspendedAt() != null) {
            return "suspended";
        }
        if (key.ban() != null) {
            return "banned";
        }
        if (!key.shared()) {
            return "unknown";
        }
        return key.expiresAt() != null && !now.isBefore(key.expiresAt().minus(KeySearch.NOTICE))
                ? "expiring"
                : "active";
    }

    public boolean changeable() {
        return key.revokedAt() == null;
    }

    public boolean suspendable() {
        return changeable() && key.suspendedAt() == null;
    }

    public boolean rotatable() {
        return changeable() && !state().equals("expired");
    }

    /** Whether requests with it are admitted, as far as their quota allows. */
    public boolean usable() {
        return rotatable() && key.suspendedAt() == null;
    }

    public Bar minute() {
        return new Bar(key.usage().minute());
    }

    public Bar day() {
        return new Bar(key.usage().day());
    }

    public String path() {
        return ConsolePages.KEYS + "/" + key.id();
    }

    record Bar(long used, long limit) {
        private static final double MOST = 0.8;

        private Bar(QuotaView.Window window) {
            this(window.limit() - window.remaining(), window.limit());
        }

        /** The style of the bar: {@code some}, {@code most} or {@code all}. */
        public String level() {
            return used >= limit ? "all" : used >= MOST * limit ? "most" : "some";
        }
    }
}
