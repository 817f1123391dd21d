package dev.animalstore.key;

import java.util.Locale;

/** Which deployment a key is for. It is part of the key's text, so that a key of the one is refused by the other without a look-up. */
public enum KeyEnvironment {
    LIVE,
    TEST;

    /** What every key of this environment begins with. */
    String prefix() {
        return "ask_" + name().toLowerCase(Locale.ROOT) + "_";
    }
}
