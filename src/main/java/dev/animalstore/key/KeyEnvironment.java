package dev.animalstore.key;

import java.util.Locale;

/** The deployment that a key is for. It is part of every secret, so another deployment refuses the secret without a look-up. */
public enum KeyEnvironment {
    LIVE,
    TEST;

    /** The prefix of every secret of this environment. */
    String prefix() {
        return "ask_" + name().toLowerCase(Locale.ROOT) + "_";
    }
}
