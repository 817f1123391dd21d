package dev.animalstore.key;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How keys look and how long what is known of them is kept. */
@ConfigMapping(prefix = "animalstore.keys")
public interface KeyConfig {
    /** The environment whose keys are accepted and issued. */
    @WithDefault("live")
    KeyEnvironment environment();

    /**
     * How long a key that was found is believed without asking PostgreSQL again. While Redis answers, a change holds at once whatever this
     * is; while it does not, this is how long a revoked key may still be let in. Longer also means longer service without PostgreSQL. At most
     * an hour, which is how long Redis knows of a change.
     */
    @WithDefault("30s")
    Duration cacheTime();

    /** How many keys are kept at the most. */
    @WithDefault("200000")
    long cacheSize();

    /** How long a secret that was not found is refused without asking PostgreSQL again. */
    @WithDefault("60s")
    Duration unknownTime();

    /** How many unknown secrets are remembered at the most. */
    @WithDefault("100000")
    long unknownSize();
}
