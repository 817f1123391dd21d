package dev.animalstore.local;

import dev.animalstore.key.BearerKey;
import dev.animalstore.key.KeyEnvironment;
import java.util.Locale;

/** One key per plan, the same on every machine. They belong to the test environment, so no production service accepts them. */
enum DemoKey {
    FREE,
    PRO,
    BUSINESS,
    ENTERPRISE;

    private static final int SECRET_LENGTH = 32;

    String plan() {
        return name().toLowerCase(Locale.ROOT);
    }

    BearerKey key() {
        String secret = "Demo" + plan();
        return BearerKey.of(KeyEnvironment.TEST, secret + "0".repeat(SECRET_LENGTH - secret.length()));
    }
}
